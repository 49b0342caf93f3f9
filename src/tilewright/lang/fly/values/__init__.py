"""Values of the dialect `fly` as Python objects: what a type tells whole needs no op until it is used."""
