"""One request whole: what to read, what it will cost, what to write."""
