"""Global memory: sectors and lines."""
