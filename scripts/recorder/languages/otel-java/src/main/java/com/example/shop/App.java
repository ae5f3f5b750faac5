package com.example.shop;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.List;

/** Traces, logs and metrics with OpenTelemetry alone; the exporter reads its environment. */
public class App {
  static class OutOfStock extends RuntimeException {
    OutOfStock(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static class Till implements AutoCloseable {
    @Override
    public void close() {
      throw new IllegalStateException("till does not close");
    }
  }

  static int read(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new OutOfStock("cannot read " + text, e);
    }
  }

  static int order(String text) {
    try (Till till = new Till()) {
      return read(text);
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    try (OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk()) {
      Tracer tracer = sdk.getTracer("shop", "1.0");
      if (arguments[0].equals("twins")) {
        twins(tracer);
        return;
      }
      serve(sdk, tracer);
      sdk.getMeter("shop").counterBuilder("orders").build().add(2);
    }
  }

  /** One bug with two inputs, and another bug, each in a trace of its own. */
  private static void twins(Tracer tracer) {
    List<Runnable> steps = List.of(() -> order("two"), () -> order("three"), () -> new Till().close());
    for (Runnable step : steps) {
      Span span = tracer.spanBuilder("POST /order/{id}").setSpanKind(SpanKind.SERVER).startSpan();
      try (Scope inSpan = span.makeCurrent()) {
        step.run();
      } catch (RuntimeException e) {
        span.recordException(e);
        span.setStatus(StatusCode.ERROR, "failed");
      } finally {
        span.end();
      }
    }
  }

  private static void serve(OpenTelemetrySdk sdk, Tracer tracer) throws InterruptedException {
    Span span = tracer.spanBuilder("POST /order/{id}").setSpanKind(SpanKind.SERVER)
        .setAttribute("http.request.method", "POST")
        .setAttribute("http.route", "/order/{id}")
        .setAttribute("http.response.status_code", 500L)
        .startSpan();
    try (Scope inSpan = span.makeCurrent()) {
      Span query = tracer.spanBuilder("SELECT shop.item").setSpanKind(SpanKind.CLIENT)
          .setAttribute("db.system.name", "postgresql")
          .setAttribute("db.query.text", "SELECT * FROM item WHERE id = ?")
          .startSpan();
      Thread.sleep(2);
      query.end();
      sdk.getLogsBridge().get("shop.pay").logRecordBuilder()
          .setSeverity(Severity.ERROR)
          .setSeverityText("ERROR")
          .setBody("payment failed")
          .setAttribute(AttributeKey.longKey("order"), 9L)
          .setAttribute(AttributeKey.stringArrayKey("lines"), List.of("a", "b"))
          .emit();
      orderInSpan(tracer.spanBuilder("order").startSpan());
    } catch (RuntimeException e) {
      span.recordException(e, Attributes.of(AttributeKey.stringKey("order"), "9"));
      span.setStatus(StatusCode.ERROR, e.getMessage());
    }
    span.end();
  }

  private static void orderInSpan(Span span) {
    try (Scope inSpan = span.makeCurrent()) {
      order("two");
    } catch (RuntimeException e) {
      span.recordException(e);
      span.setStatus(StatusCode.ERROR, "failed");
      throw e;
    } finally {
      span.end();
    }
  }
}
