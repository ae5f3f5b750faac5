"""The SDK before sentry-sdk: deflated and base64 to /store/."""

import raven
from raven.transport.http import HTTPTransport

from recording import caught, dsn
from shop import cart

# That protocol had a secret, and the library still asks for one.
address = dsn.replace("@", ":0123456789abcdef0123456789abcdef@") if dsn else None
client = raven.Client(address, release="raven@6.10", environment="staging", name="web-1", transport=HTTPTransport)
client.user_context({"id": "u-1"})
client.tags_context({"plan": "gold"})
caught(client.captureException, cart.read_quantity, {"quantity": "two", "name": "Ada"})
client.captureMessage("stock of %s is low", params=("A-1",))
