"""Traces of kernels as `docs/trace.md` describes them: read from JSON, replayed, and drawn moment by moment."""
