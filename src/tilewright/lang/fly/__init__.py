"""The front end of FlyDSL's language: values of the dialect `fly`, the functions `fx`, kernels and their launch."""
