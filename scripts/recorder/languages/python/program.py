"""Runs one scenario with the plain SDK: `RECORD_DSN=… python program.py SCENARIO`."""

import asyncio
import logging
import sys
import threading
import time

import sentry_sdk
from sentry_sdk import metrics
from sentry_sdk.crons import monitor
from sentry_sdk.feature_flags import add_feature_flag
from sentry_sdk.integrations.asyncio import AsyncioIntegration

from recording import caught, dsn, scenario
from shop import cart

options = {
    "profile": {"profile_session_sample_rate": 1.0, "profile_lifecycle": "trace"},
    "profile-txn": {"profiles_sample_rate": 1.0},
    "asyncio": {"integrations": [AsyncioIntegration()]},
    "clientreport": {"before_send": lambda event, hint: None},
    # The interpreter's own words are wanted, and nothing else on the way.
    "plainlog": {"enable_logs": False, "attach_stacktrace": False},
}
if dsn:
    sentry_sdk.init(
        **{
            "dsn": dsn,
            "release": "shop-py@1.4.2",
            "environment": "staging",
            "server_name": "web-1",
            "traces_sample_rate": 1.0,
            "send_default_pii": True,
            "enable_logs": True,
            "attach_stacktrace": True,
            "in_app_include": ["shop"],
            **options.get(scenario, {}),
        }
    )
    sentry_sdk.set_user({"id": "u-42", "email": "ada@example.com", "username": "ada", "ip_address": "203.0.113.9"})
    sentry_sdk.set_tags({"plan": "gold", "tenant": "acme"})
    sentry_sdk.set_context("order", {"id": 9, "total": 12.5, "lines": [{"sku": "A-1"}]})
    sentry_sdk.set_extra("note", "an extra")
    sentry_sdk.add_breadcrumb(category="cart", message="added A-1", level="info", data={"sku": "A-1", "count": 2})


def catch(function, *arguments):
    return caught(sentry_sdk.capture_exception, function, *arguments)


form = {"quantity": "two dozen", "name": "Ada"}


def chain():
    catch(cart.read_quantity, form)


def chain_twins():
    """The same bug with other input, and another bug."""
    catch(cart.read_quantity, {"quantity": "three pairs", "name": "Bob"})
    catch(cart.suppressed, form)


def during():
    catch(cart.during, form)


def fromnone():
    catch(cart.suppressed, form)


def group():
    catch(cart.group, form)


def uncaught():
    cart.during(form)


def recursion():
    sys.setrecursionlimit(300)
    catch(cart.recurse, 0)


def message():
    sentry_sdk.capture_message("stock is low", level="warning")


def logs_of_logging():
    log = logging.getLogger("shop.pay")
    log.error("payment %s of %s failed", 17, "ada", extra={"order_id": 9})
    log.error("payment %s of %s failed", 18, "bob", extra={"order_id": 10})
    try:
        cart.during(form)
    except ZeroDivisionError:
        log.exception("while paying")


def plainlog():
    log = logging.getLogger("shop.mail")
    for who in ("ada", "bob", "eve"):
        log.error("mail to %s bounced", who)
    for who in ("ada", "bob"):
        log.error(f"invoice for {who} failed")
    for who in ("ada", "bob"):
        sentry_sdk.capture_message(f"upload of {who} refused", level="error")


def thread():
    worker = threading.Thread(target=cart.during, args=(form,), name="worker-7")
    worker.start()
    worker.join()


def asyncio_task():
    async def job():
        await asyncio.sleep(0.01)
        cart.during(form)

    async def main():
        task = asyncio.create_task(job(), name="job-1")
        await asyncio.sleep(0.1)
        return task

    asyncio.run(main())


def trace():
    with sentry_sdk.start_transaction(op="task", name="checkout") as transaction:
        transaction.set_data("cart.items", 3)
        with sentry_sdk.start_span(op="step", name="price the cart") as span:
            span.set_data("currency", "EUR")
            cart.stock([f"A-{number}" for number in range(12)])
        sentry_sdk.logger.info("in the trace of {who}", attributes={"count": 3}, who="ada")
        catch(cart.during, form)
        transaction.set_status("ok")


def logs():
    log = sentry_sdk.logger
    log.trace("first")
    log.debug("second")
    log.info(
        "order {order} of {who} paid",
        order=9,
        who="ada",
        attributes={"amount": 12.5, "vip": True, "tags": ["a", "b"]},
    )
    log.warning("slow")
    log.error("failed")
    log.fatal("lost")


def metrics_of_three_kinds():
    metrics.count("orders", 2, attributes={"shop": "b"})
    metrics.gauge("queue", 7.5)
    metrics.distribution("latency", 12.5, unit="millisecond")


def cron():
    config = {
        "schedule": {"type": "crontab", "value": "0 3 * * *"},
        "timezone": "Europe/Berlin",
        "checkin_margin": 5,
        "max_runtime": 10,
    }

    @monitor(monitor_slug="nightly", monitor_config=config)
    def nightly(is_broken):
        time.sleep(0.01)
        if is_broken:
            cart.during(form)

    nightly(False)
    catch(nightly, True)


def attach():
    with sentry_sdk.new_scope() as scope:
        scope.add_attachment(bytes=b"line one\nline two\n", filename="order.txt", content_type="text/plain")
        scope.add_attachment(bytes=bytes(range(256)) * 2, filename="dump.bin")
        scope.add_attachment(path=cart.__file__)
        catch(cart.during, form)


def flags():
    add_feature_flag("new-checkout", True)
    add_feature_flag("dark", False)
    catch(cart.during, form)


def fingerprint():
    with sentry_sdk.new_scope() as scope:
        scope.fingerprint = ["{{ default }}", "tenant-a"]
        catch(cart.during, form)


def sessions():
    for number in range(3):
        scope = sentry_sdk.get_isolation_scope()
        scope.start_session(session_mode="application")
        if number == 1:
            catch(cart.during, form)
        scope.end_session()


def profile():
    with sentry_sdk.start_transaction(op="task", name="busy"):
        until = time.time() + 0.25
        while time.time() < until:
            sum(number * number for number in range(1000))


def clientreport():
    catch(cart.during, form)
    time.sleep(0.2)
    sentry_sdk.get_client().transport._flush_client_reports(force=True)


class Weird:
    def __repr__(self):
        return "<Weird ünï 日本>"


def locals_of_all_kinds():
    def deep():
        big = "x" * 5000
        nested = {"a": {"b": {"c": {"d": {"e": 1}}}}}
        weird = Weird()
        nothing = None
        blob = b"\x00\xff"
        ratio = 1.5
        pair = (1, 2)
        many = list(range(100))
        secret_token = "abc"
        password = "p"
        raise LookupError("nothing under “ключ”\nsecond line\nthird line")

    catch(deep)


class Book:
    def __repr__(self):
        return "<Book 'Dune', author Frank Herbert>"


def scrubbing():
    def read():
        book = Book()
        where = "tokenize the text"
        path = "/srv/shop/auth.py"
        url = "https://auth.example.com/login"
        mail = "ada@example.com"
        card = 4111111111111111
        author = "Frank Herbert"
        token_count = 3
        tokens = ["a", "b"]
        tenant = "acme"
        raise RuntimeError("no token for author Frank, password=hunter2, card 4111 1111 1111 1111")

    catch(read)
    sentry_sdk.capture_message("authentication of ada@example.com failed: token=abc")


scenarios = {
    "chain": chain,
    "chain-twins": chain_twins,
    "during": during,
    "fromnone": fromnone,
    "group": group,
    "uncaught": uncaught,
    "recursion": recursion,
    "message": message,
    "logging": logs_of_logging,
    "plainlog": plainlog,
    "thread": thread,
    "asyncio": asyncio_task,
    "trace": trace,
    "logs": logs,
    "metrics": metrics_of_three_kinds,
    "cron": cron,
    "attach": attach,
    "flags": flags,
    "fingerprint": fingerprint,
    "sessions": sessions,
    "profile": profile,
    "profile-txn": profile,
    "clientreport": clientreport,
    "locals": locals_of_all_kinds,
    "scrubbing": scrubbing,
}
scenarios[scenario]()
sentry_sdk.flush(5)
