"""The fast ways of decoding, each with its reason."""
