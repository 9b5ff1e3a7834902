"""UCI and GTP: other programs as players here, and our players as engines elsewhere."""
