"""What each op does, one file for each kind: handlers that make the steps of a program."""
