"""A Flask application that a load balancer, a crawler and a person visit; for SDK 1 and 2. The scenario is the release."""

import threading
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import sentry_sdk
from flask import Flask, request
from sentry_sdk.integrations.flask import FlaskIntegration
from werkzeug.serving import make_server

from recording import dsn, scenario

sentry_sdk.init(
    dsn,
    release=scenario,
    environment="production",
    traces_sample_rate=1.0,
    integrations=[FlaskIntegration(transaction_style="url")],
    # What asks is no part of the application.
    trace_propagation_targets=[],
)
app = Flask(__name__)


@app.get("/healthz")
def healthz():
    with sentry_sdk.start_span(op="db"):
        return "ok"


@app.get("/cart/<int:number>")
def cart(number):
    raise LookupError(f"no price for {request.headers['X-Visitor']}")


server = make_server("127.0.0.1", 0, app)
threading.Thread(target=server.serve_forever, daemon=True).start()


def visit(path, visitor, agent):
    headers = {"User-Agent": agent, "X-Visitor": visitor}
    try:
        urlopen(Request(f"http://127.0.0.1:{server.port}{path}", None, headers)).read()
    except HTTPError:
        pass


for _ in range(3):
    visit("/healthz", "the balancer", "kube-probe/1.31")
visit("/cart/7", "a crawler", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")
visit("/cart/8", "a person", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
server.shutdown()
sentry_sdk.flush(5)
