"""`python -m slidewise` is the command `slidewise` without `serve`, which needs Flask."""

import sys

if __name__ == "__main__":
    try:
        from slidewise.cli import main

        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
