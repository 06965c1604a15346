"""`python -m towerhall_client` is `towerhall`."""

import sys

from towerhall_client.cli import main

if __name__ == "__main__":
    sys.exit(main())
