"""Labs: exercises as checked data, and what a student does with them."""
