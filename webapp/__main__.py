"""`python -m webapp` is the command `slidewise`."""

import sys

from webapp.command import main

if __name__ == "__main__":
    sys.exit(main())
