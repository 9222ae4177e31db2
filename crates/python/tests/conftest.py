"""What all tests have in common."""

import signal

# Programs that are started in the background ignore interrupts, and Python leaves that so. Some tests send them.
signal.signal(signal.SIGINT, signal.default_int_handler)
