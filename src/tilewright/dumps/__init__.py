"""Others' IR as they dump it: what every memory operation asks of memory."""
