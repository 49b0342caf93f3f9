"""The F2 view: layouts and swizzles as matrices over bits, for proofs and search."""
