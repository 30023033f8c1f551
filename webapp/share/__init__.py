"""Links, pictures and files to share."""
