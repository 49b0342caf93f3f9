"""What people ask in words: tiles, and accesses by patterns, instructions, layouts and atoms."""
