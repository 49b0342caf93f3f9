"""The functions of `fx`, a file a family; each row is its signature, what it gives, and the op that does it."""
