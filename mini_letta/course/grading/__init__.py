"""The instructor's side of the labs: what was handed in is rebuilt, run, and turned into marks."""
