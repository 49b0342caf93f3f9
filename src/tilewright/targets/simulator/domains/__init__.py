"""Who executes a compiled kernel: all lanes of some blocks, or a recorder that learns what every block would do."""
