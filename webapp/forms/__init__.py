"""What people type into forms, read and checked."""
