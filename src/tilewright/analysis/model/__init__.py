"""What an access is: layouts, threads and instructions as byte addresses of lanes."""
