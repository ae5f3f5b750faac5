"""What a shop reports to Bugsink, by Sentry's SDK for Python: `bugsink_traffic.py DSN EVENTS`."""
import sys
import time

import sentry_sdk

dsn, events = sys.argv[1], int(sys.argv[2])
days_ago = {0: 0, 1: 3, 2: 60, 3: 400}


def dated(event, hint):
    """Of each issue a few are from long ago."""
    event["timestamp"] = time.time() - 86_400 * days_ago.get(event["tags"]["round"], 0) - int(event["tags"]["round"])
    return event


sentry_sdk.init(dsn=dsn, release="shop@1.2.0", environment="production", before_send=dated, max_breadcrumbs=4)


class PaymentError(Exception):
    pass


class Stock:
    def reserve(self, article):
        return {"lamp": 3}[article]


def pay(order):
    if order["total"] > 100:
        raise PaymentError("card declined")


def divide(total, parts):
    return total / parts


def quantity(text):
    return int(text)


doings = [
    lambda: pay({"id": 7, "total": 120}),
    lambda: Stock().reserve("table"),
    lambda: divide(10, 0),
    lambda: quantity("many"),
]

for number in range(events):
    with sentry_sdk.isolation_scope() as scope:
        scope.set_tag("round", number // len(doings))
        scope.set_tag("region", "eu" if number % 2 else "us")
        scope.set_user({"id": str(number % 5), "username": f"buyer-{number % 5}"})
        scope.set_context("cart", {"articles": number % 9, "note": "größer als früher ✓"})
        scope.add_breadcrumb(category="shop", message=f"opened article {number}", level="info")
        try:
            doings[number % len(doings)]()
        except Exception as error:
            scope.capture_exception(error)
    if number % 50 == 49:
        sentry_sdk.flush(60)
sentry_sdk.flush(60)
