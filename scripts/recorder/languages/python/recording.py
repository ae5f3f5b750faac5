"""What all programs share: where to send, and what the interpreter itself makes of an error."""

import os
import sys
import traceback

dsn = os.environ.get("RECORD_DSN")
scenario = sys.argv[1]
_printed = 0


def caught(capture, function, *arguments):
    """Captures what the function raises. Without a server it is printed, a form feed between two."""
    global _printed
    try:
        function(*arguments)
    except BaseException:
        if dsn:
            return capture()
        if _printed:
            sys.stderr.write("\f")
        _printed += 1
        traceback.print_exc()
    return None
