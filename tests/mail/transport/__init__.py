"""The transports, in real conversations."""
