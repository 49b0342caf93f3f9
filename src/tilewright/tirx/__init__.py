"""TIRx layouts: sets of places over named axes. The front door is `tilewright.tirx.layout`."""
