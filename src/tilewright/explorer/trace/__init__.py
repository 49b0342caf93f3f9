"""Traces of kernels as `docs/trace.md` describes them: read from JSON, kept, replayed, and drawn step by step."""
