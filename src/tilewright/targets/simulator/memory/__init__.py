"""Memories that check every access: flat ones that lanes share, and registers."""
