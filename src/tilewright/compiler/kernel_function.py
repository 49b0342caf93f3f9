"""`flyc.kernel_function`: what a compiler is told."""

from tilewright.lang.fly.options import CompilationContext as CompilationContext
