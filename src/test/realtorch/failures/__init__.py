"""Programs that run out of memory, each with the cause that its construction gives it."""
