"""Handlers of what kernels do with tensor memory."""
