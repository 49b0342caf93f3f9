"""C text of a kernel at stage `final`. What differs between CUDA, HIP and the host is data: a `CTable`."""
