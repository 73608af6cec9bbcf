"""What the systems compute without a network; tests run it with perfect modules in its place."""
