"""A Django application that is asked and answers itself."""

import threading
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from wsgiref.simple_server import WSGIRequestHandler, make_server

import sentry_sdk

from recording import dsn, scenario

sentry_sdk.init(
    dsn,
    release="shop-admin@1.0.0",
    environment="production",
    server_name="web-8",
    traces_sample_rate=1.0,
    send_default_pii=True,
    # What asks is no part of the application.
    trace_propagation_targets=[],
    # The line of each query, not only of slow ones.
    **({"db_query_source_threshold_ms": 0} if scenario == "n-plus-one" else {}),
)

import django  # noqa: E402
from django.conf import settings  # noqa: E402

templates = {"order.html": "<p>\n{{ order.total|add:1 }}\n{% url 'nowhere' %}\n</p>"}
settings.configure(
    DEBUG=False,
    ALLOWED_HOSTS=["*"],
    SECRET_KEY="not a secret",
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "file:shop?mode=memory&cache=shared"}},
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {"loaders": [("django.template.loaders.locmem.Loader", templates)]},
        }
    ],
)
django.setup()

from django.contrib.auth.models import Permission, User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.shortcuts import render  # noqa: E402
from django.urls import path  # noqa: E402

call_command("migrate", verbosity=0)


def customers(request):
    return HttpResponse(str([list(User.objects.filter(id=number)) for number in range(12)]))


def customer(request, pk):
    return HttpResponse(User.objects.get(id=pk).username)


def order(request):
    return render(request, "order.html", {"order": {"total": 1}})


def pause(execute, *arguments):
    """A database is further away than memory."""
    time.sleep(0.008)
    return execute(*arguments)


def permissions(request):
    with connection.execute_wrapper(pause):
        return HttpResponse(", ".join(each.content_type.model for each in Permission.objects.order_by("id")[:10]))


urlpatterns = [path("permissions/", permissions), path("customers/", customers), path("customer/<int:pk>/", customer), path("order/", order)]


class Quiet(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
threading.Thread(target=server.serve_forever, daemon=True).start()
pages = {"web": ("customers/", "customer/77/", "customer/78/", "order/"), "n-plus-one": ("permissions/",)}
for wanted in pages[scenario]:
    try:
        address = f"http://127.0.0.1:{server.server_port}/{wanted}"
        urlopen(Request(address, headers={"Host": "shop.example.com"})).read()
    except HTTPError:
        pass
server.shutdown()
sentry_sdk.get_client().session_flusher.flush()
sentry_sdk.flush(5)
