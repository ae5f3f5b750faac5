// Traces, logs and metrics with OpenTelemetry alone; the exporters read their environment.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/log"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// OutOfStock is an error type of the application.
type OutOfStock struct{ SKU string }

func (e *OutOfStock) Error() string { return "only 3 of " + e.SKU + " left" }

func pay() error {
	return fmt.Errorf("pay: %w", errors.Join(&OutOfStock{"A-1"}, errors.New("card refused")))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func order(ctx context.Context, tracer trace.Tracer, logger log.Logger) context.Context {
	ctx, span := tracer.Start(ctx, "POST /order/{id}", trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("http.request.method", "POST"),
		attribute.String("http.route", "/order/{id}"),
		attribute.Int("http.response.status_code", 500),
		attribute.StringSlice("lines", []string{"a", "b"}),
	))
	defer span.End()
	_, query := tracer.Start(ctx, "SELECT", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("db.system.name", "postgresql"),
		attribute.String("db.query.text", "SELECT * FROM item WHERE id = 9"),
		attribute.String("db.namespace", "shop"),
	))
	time.Sleep(2 * time.Millisecond)
	query.End()
	err := pay()
	span.RecordError(err, trace.WithStackTrace(true))
	span.SetStatus(codes.Error, err.Error())
	var failed log.Record
	failed.SetTimestamp(time.Now())
	failed.SetSeverity(log.SeverityError)
	failed.SetSeverityText("ERROR")
	failed.SetBody(attribute.StringValue("payment failed"))
	failed.AddAttributes(attribute.Int("order", 9), attribute.Bool("vip", true))
	logger.Emit(ctx, failed)
	return ctx
}

// crash ends its span in a panic, which the span itself records.
func crash(ctx context.Context, tracer trace.Tracer) {
	defer func() { _ = recover() }()
	_, span := tracer.Start(ctx, "crash")
	defer span.End(trace.WithStackTrace(true))
	var stock map[string]int
	stock["A-1"] = 1
}

func quantity(text string) error {
	if _, err := strconv.Atoi(text); err != nil {
		return fmt.Errorf("read quantity: %w", err)
	}
	return nil
}

// fail records what a step returns, in a trace of its own.
func fail(ctx context.Context, tracer trace.Tracer, step func() error) {
	_, span := tracer.Start(ctx, "POST /order/{id}", trace.WithSpanKind(trace.SpanKindServer))
	defer span.End()
	if err := step(); err != nil {
		span.RecordError(err, trace.WithStackTrace(true))
		span.SetStatus(codes.Error, "failed")
	}
}

// twins are one bug with two inputs, and another bug.
func twins(ctx context.Context, tracer trace.Tracer) {
	fail(ctx, tracer, func() error { return quantity("two") })
	fail(ctx, tracer, func() error { return quantity("three") })
	fail(ctx, tracer, pay)
}

func main() {
	ctx := context.Background()
	own := must(resource.New(ctx, resource.WithFromEnv(), resource.WithTelemetrySDK()))
	spans := sdktrace.NewTracerProvider(sdktrace.WithResource(own),
		sdktrace.WithBatcher(must(otlptracehttp.New(ctx))))
	records := sdklog.NewLoggerProvider(sdklog.WithResource(own),
		sdklog.WithProcessor(sdklog.NewBatchProcessor(must(otlploghttp.New(ctx)))))
	meters := metric.NewMeterProvider(metric.WithResource(own),
		metric.WithReader(metric.NewPeriodicReader(must(otlpmetrichttp.New(ctx)))))
	tracer := spans.Tracer("shop")
	logger := records.Logger("shop")
	if os.Args[1] == "twins" {
		twins(ctx, tracer)
	} else {
		inner := order(ctx, tracer, logger)
		crash(inner, tracer)
		var paid log.Record
		paid.SetSeverity(log.SeverityInfo)
		paid.SetBody(attribute.MapValue(attribute.String("event", "paid"), attribute.Int("lines", 2)))
		logger.Emit(ctx, paid)
		must(meters.Meter("shop").Int64Counter("orders")).Add(ctx, 2)
	}
	if err := errors.Join(spans.Shutdown(ctx), records.Shutdown(ctx), meters.Shutdown(ctx)); err != nil {
		panic(err)
	}
}
