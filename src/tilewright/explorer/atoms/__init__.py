"""What the tab of MMAs and copies shows: atoms that are found, what a thread holds, and tiles in shared memory."""
