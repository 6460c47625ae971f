"""What people see and type: words, the terminal, saved games."""
