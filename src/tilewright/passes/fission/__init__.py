"""`fission`: the threads of a block become loops, cut where they wait for each other."""
