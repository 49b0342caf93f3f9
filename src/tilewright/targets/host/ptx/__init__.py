"""Inline PTX as calls of C++: so the text of a kernel runs on the CPU as it stands."""
