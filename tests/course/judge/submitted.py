"""Names of files in zips of Moodle and Canvas, and their parts: student, ID, the student's file."""

NAMES = {
    # Moodle, as folders; older versions end the folder's name with an underscore
    "Anna Berg_123_assignsubmission_file/bfs.py": ("Anna Berg", "123", "bfs.py"),
    "Anna Berg_123_assignsubmission_file_/bfs.py": ("Anna Berg", "123", "bfs.py"),
    "Zoë O'Hara-Li_7_assignsubmission_file/src/a b.py": ("Zoë O'Hara-Li", "7", "src/a b.py"),
    "BFS-42/Anna Berg_123_assignsubmission_file/x.ipynb": ("Anna Berg", "123", "x.ipynb"),
    # as files
    "Anna Berg_123_assignsubmission_file_bfs_2.py": ("Anna Berg", "123", "bfs_2.py"),
    "Participant_9_assignsubmission_file_bfs.py": ("Participant", "9", "bfs.py"),
    "Default group_assignsubmission_file_bfs.py": ("Default group", "", "bfs.py"),
    # Canvas
    "berganna_55_901_bfs.py": ("berganna", "55", "bfs.py"),
    "berganna_LATE_55_901_bfs-1.py": ("berganna", "55", "bfs-1.py"),
    "mullerzoe_55_901_hw_2_bfs.py": ("mullerzoe", "55", "hw_2_bfs.py"),
    "anon_x7kQ2_901_bfs.py": ("", "anon_x7kQ2", "bfs.py"),
    "LATE_anon_x7kQ2_901_bfs.py": ("", "anon_x7kQ2", "bfs.py"),
    "submissions/李小龙_55_901_bfs.py": ("李小龙", "55", "bfs.py"),
    # neither
    "bfs.py": ("", "", "bfs.py"),
    "anna/bfs.py": ("", "", "anna/bfs.py"),
    "bfs_2.py": ("", "", "bfs_2.py"),
}
