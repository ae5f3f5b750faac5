"""A Flask application that is asked and answers itself; for SDK 1 and 2."""

import threading
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import sentry_sdk
from flask import Flask, abort, request
from werkzeug.serving import make_server

from recording import dsn, scenario
from shop import cart

sentry_sdk.init(
    dsn,
    release="shop-web@2.0.0",
    environment="production",
    server_name="web-2",
    traces_sample_rate=1.0,
    send_default_pii=True,
    # What asks is no part of the application.
    trace_propagation_targets=[],
    **({"trace_lifecycle": "stream"} if scenario == "stream" else {}),
)
app = Flask(__name__)


@app.get("/stock/<int:sku>")
def stock(sku):
    return {"stock": sku}


@app.post("/order/<int:order_id>")
def order(order_id):
    sentry_sdk.set_user({"id": "u-7", "email": "bob@example.com"})
    return {"quantity": cart.read_quantity(request.get_json())}


@app.get("/handled")
def handled():
    try:
        cart.during({})
    except ZeroDivisionError as error:
        sentry_sdk.capture_exception(error)
    return "ok"


@app.get("/gone")
def gone():
    abort(404)


server = make_server("127.0.0.1", 0, app)
threading.Thread(target=server.serve_forever, daemon=True).start()


def ask(path, body=None):
    headers = {
        "X-Forwarded-For": "203.0.113.5",
        "Cookie": "session=s3cret; theme=dark",
        "Authorization": "Bearer abc",
        "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36",
        "Host": "shop.example.com",
        **({"Content-Type": "application/json"} if body else {}),
    }
    try:
        urlopen(Request(f"http://127.0.0.1:{server.port}{path}", body, headers)).read()
    except HTTPError:
        pass


for sku in range(2):
    ask(f"/stock/{sku}")
ask("/gone")
ask("/handled?a=1&token=zzz")
ask(
    "/order/9?coupon=X",
    b'{"quantity": "two", "name": "Bob", "password": "pw", "card": "4111 1111 1111 1111"}',
)
ask("/order/10?coupon=Y", b'{"quantity": "three", "name": "Eve"}')
server.shutdown()
client = sentry_sdk.Hub.current.client
client.session_flusher.flush()
client.flush(5)
