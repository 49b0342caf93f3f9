"""What a kernel asks of a machine: registers, occupancy, and a bound on its time."""
