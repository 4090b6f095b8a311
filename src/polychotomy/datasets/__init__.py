"""The papers' simulated problems, and tables read from files."""
