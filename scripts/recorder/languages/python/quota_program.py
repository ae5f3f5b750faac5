"""Errors that come one after the other; for SDKs from 0.19 to 2. The scenario says how many."""

import sentry_sdk

from recording import dsn, scenario

sentry_sdk.init(dsn, release="orders@1.0.0", environment="production", server_name="web-3")
for number in range(int(scenario)):
    try:
        raise ValueError(f"order {number} failed")
    except ValueError as error:
        sentry_sdk.capture_exception(error)
    sentry_sdk.flush(5)
