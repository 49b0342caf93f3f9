"""What `tilewright demo` shows, one file a demo, and the parts that they share."""
