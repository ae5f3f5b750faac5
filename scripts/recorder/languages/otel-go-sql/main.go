// A loop of queries over database/sql, with OpenTelemetry's instrumentation of it.
package main

import (
	"context"
	"database/sql"
	"time"

	"github.com/XSAM/otelsql"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func authorsOf(ctx context.Context, db *sql.DB) []string {
	rows := must(db.QueryContext(ctx, "SELECT id FROM books ORDER BY title"))
	var ids []int64
	for rows.Next() {
		var id int64
		must(0, rows.Scan(&id))
		ids = append(ids, id)
	}
	must(0, rows.Close())
	var names []string
	for _, id := range ids {
		var name string
		must(0, db.QueryRowContext(ctx, "SELECT name FROM authors WHERE id = ?", id).Scan(&name))
		names = append(names, name)
	}
	return names
}

func main() {
	ctx := context.Background()
	exporter := must(otlptracehttp.New(ctx))
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter, sdktrace.WithBatchTimeout(time.Second)),
		sdktrace.WithResource(must(resource.New(ctx, resource.WithFromEnv(), resource.WithTelemetrySDK()))),
	)
	otel.SetTracerProvider(provider)
	db := otelsql.OpenDB(shelf{}, otelsql.WithAttributes(
		attribute.String("db.system.name", "postgresql"),
		attribute.String("db.namespace", "shop"),
	))
	ctx, span := provider.Tracer("shop").Start(ctx, "GET /books", trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(
			attribute.String("http.request.method", "GET"),
			attribute.String("http.route", "/books"),
			attribute.Int("http.response.status_code", 200),
		))
	authorsOf(ctx, db)
	span.End()
	must(0, provider.Shutdown(ctx))
}
