"""The command `tilewright`: one file a subcommand, each with `add_parser(subparsers, words)` and `run(args) -> int`."""
