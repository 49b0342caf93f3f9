"""A user's function as one whose control flow works at run time: parsed, rewritten, compiled with its places kept."""
