"""Who fits: processes of this machine, or a cluster."""
