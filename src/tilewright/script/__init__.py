"""Where TIRx programs find their language: `from tilewright.script import tirx as T`."""
