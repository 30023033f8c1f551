"""Links, pictures and files to pass on."""
