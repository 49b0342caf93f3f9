"""What front ends share: the trace, places in the source, numbers with types, and control flow that carries values."""
