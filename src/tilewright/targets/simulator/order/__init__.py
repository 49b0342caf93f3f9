"""What happens before what: clocks of those who run, and what each element of memory remembers of its accesses."""
