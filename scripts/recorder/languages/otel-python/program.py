"""Traces, logs and metrics with OpenTelemetry alone; the exporter reads its environment."""

import logging
import sys
import time

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode

from shop import cart

resource = Resource.create()
spans = TracerProvider(resource=resource)
spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
records = LoggerProvider(resource=resource)
records.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
meters = MeterProvider(resource=resource, metric_readers=[PeriodicExportingMetricReader(OTLPMetricExporter())])
root = logging.getLogger()
root.addHandler(LoggingHandler(level=logging.INFO, logger_provider=records))
root.setLevel(logging.INFO)
log = logging.getLogger("shop.pay")
tracer = spans.get_tracer("shop.tracer", "1.0")

order_attributes = {
    "http.request.method": "GET",
    "http.route": "/order/{id}",
    "url.path": "/order/9",
    "http.response.status_code": 500,
    "lines": ["a", "b"],
    "enduser.id": "u-42",
    "api_key": "sk_123",
}
query_attributes = {
    "db.system": "postgresql",
    "db.statement": "SELECT * FROM item WHERE id = 9",
    "db.name": "shop",
}
call_attributes = {
    "http.method": "POST",
    "http.url": "https://pay.example.com/v1?token=x",
    "http.status_code": 503,
}


def main():
    meters.get_meter("shop").create_counter("orders").add(2, {"shop": "b"})
    with tracer.start_as_current_span("GET /order/{id}", kind=SpanKind.SERVER, attributes=order_attributes) as span:
        with tracer.start_as_current_span("SELECT item", kind=SpanKind.CLIENT, attributes=query_attributes):
            time.sleep(0.003)
        with tracer.start_as_current_span("POST", kind=SpanKind.CLIENT, attributes=call_attributes) as call:
            call.set_status(Status(StatusCode.ERROR, "bad gateway"))
        span.add_event("cache miss", {"key": "item:9"})
        log.warning("stock of %s is low", "A-1", extra={"sku": "A-1", "count": 3})
        try:
            cart.during({})
        except ZeroDivisionError:
            log.exception("while paying")
        try:
            with tracer.start_as_current_span("read"):
                cart.read_quantity({"quantity": "two", "name": "Ada"})
        except RuntimeError as error:
            span.record_exception(error)
            span.set_status(Status(StatusCode.ERROR, str(error)))
        try:
            cart.group({})
        except ExceptionGroup as error:
            span.record_exception(error, attributes={"exception.escaped": True})
    links = [trace.Link(span.get_span_context(), {"why": "batch"})]
    queue = {"messaging.system": "kafka", "messaging.destination.name": "orders"}
    with tracer.start_as_current_span("consume", kind=SpanKind.CONSUMER, links=links, attributes=queue):
        pass


def rise():
    """One error that rises through three spans."""
    try:
        with tracer.start_as_current_span("GET /rise", kind=SpanKind.SERVER):
            with tracer.start_as_current_span("middle"):
                with tracer.start_as_current_span("inner"):
                    cart.read_quantity({"quantity": "two", "name": "Ada"})
    except RuntimeError:
        pass


def twins():
    """One bug with two inputs, and another bug, each in a trace of its own."""
    forms = ({"quantity": "two", "name": "Ada"}, {"quantity": "three", "name": "Bob"})
    for fail in (*(lambda form=form: cart.read_quantity(form) for form in forms), lambda: cart.during({})):
        try:
            with tracer.start_as_current_span("GET /order/{id}", kind=SpanKind.SERVER):
                fail()
        except (RuntimeError, ZeroDivisionError):
            pass


{"main": main, "rise": rise, "twins": twins}[sys.argv[1]]()
for provider in (spans, records, meters):
    provider.shutdown()
