"""The gateway: websockets and HTTP on one port. The only importer of websockets."""
