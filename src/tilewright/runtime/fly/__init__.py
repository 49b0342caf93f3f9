"""Functions of `fx` at work: their host function here, their launches by a launcher of the target."""
