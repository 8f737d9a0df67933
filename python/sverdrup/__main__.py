"""python -m sverdrup"""

import sys

from sverdrup.cli import main

sys.exit(main())
