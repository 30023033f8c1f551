"""`python -m webapp`, installed `python -m slidewise.web`: the command `slidewise`."""

import sys

from slidewise.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
