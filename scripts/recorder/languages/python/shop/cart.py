"""A shop's cart: each function fails in its own way."""

import sqlite3


class OutOfStock(Exception):
    def __init__(self, sku, wanted):
        super().__init__(f"only 3 of {sku} left, {wanted} wanted")
        self.sku = sku
        self.wanted = wanted


def parse_quantity(text):
    unit = {"dozen": 12, "pair": 2}
    return int(text)


def read_quantity(form, password="hunter2"):
    api_key = "sk_live_0123456789"
    lines = [{"sku": f"A-{number}", "price": number * 1.5} for number in range(30)]
    try:
        return parse_quantity(form["quantity"])
    except ValueError as error:
        raise RuntimeError(f"cannot read the order of {form['name']}") from error


def during(form):
    try:
        return form["total"]
    except KeyError:
        return 1 / 0


def suppressed(form):
    try:
        return form["total"]
    except KeyError:
        raise OutOfStock("A-1", 7) from None


def group(form):
    failed = []
    for check in (lambda: int("x"), lambda: {}["colour"], lambda: during(form)):
        try:
            check()
        except Exception as error:
            failed.append(error)
    raise ExceptionGroup("three lines are wrong", failed)


def recurse(depth):
    return recurse(depth + 1)


def stock(skus):
    """One query for each."""
    store = sqlite3.connect(":memory:")
    store.execute("create table item (sku text, stock integer)")
    return [store.execute("select stock from item where sku = ?", (sku,)).fetchall() for sku in skus]
