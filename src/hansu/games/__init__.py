"""The games; each folder can be read on its own."""
