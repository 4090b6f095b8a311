"""The version, read by the build and shown by ``polychotomy --version``."""

__version__ = "0.1.0"
