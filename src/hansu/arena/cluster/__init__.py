"""Games on many machines: Ray starts the workers, we decide who plays what and what is believed."""
