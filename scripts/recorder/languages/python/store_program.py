"""SDK 0.19, which sends errors to /store/."""

import sentry_sdk

from recording import caught, dsn
from shop import cart

if dsn:
    sentry_sdk.init(dsn, release="old@0.19", environment="staging", server_name="web-1", traces_sample_rate=1.0)
    sentry_sdk.set_user({"id": "u-1"})
    sentry_sdk.set_tag("plan", "gold")
    sentry_sdk.add_breadcrumb(category="cart", message="added A-1")
caught(sentry_sdk.capture_exception, cart.read_quantity, {"quantity": "two", "name": "Ada"})
sentry_sdk.capture_message("stock is low")
with sentry_sdk.start_transaction(op="task", name="checkout"):
    pass
sentry_sdk.flush(3)
