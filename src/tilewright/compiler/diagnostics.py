"""`flyc.diagnostics`: what is raised where a kernel is wrong."""

from tilewright.errors import KernelError as DSLCompileError
