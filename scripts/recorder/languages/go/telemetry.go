package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"example.com/shop/internal/cart"
	"github.com/getsentry/sentry-go"
	"github.com/getsentry/sentry-go/attribute"
	sentryhttp "github.com/getsentry/sentry-go/http"
	sentryslog "github.com/getsentry/sentry-go/slog"
)

func serve() {
	routes := http.NewServeMux()
	routes.HandleFunc("POST /order/{id}", func(_ http.ResponseWriter, request *http.Request) {
		sentry.GetHubFromContext(request.Context()).Scope().SetTag("order", request.PathValue("id"))
		query := sentry.StartSpan(request.Context(), "db.sql.query",
			sentry.WithDescription("SELECT * FROM item WHERE id = $1"))
		query.SetData("db.system", "postgresql")
		query.Finish()
		var basket *cart.Basket
		basket.At(1)
	})
	routes.HandleFunc("GET /stock", func(answer http.ResponseWriter, _ *http.Request) { fmt.Fprint(answer, "3") })
	server := httptest.NewServer(sentryhttp.New(sentryhttp.Options{}).Handle(routes))
	defer server.Close()
	order, _ := http.NewRequest("POST", server.URL+"/order/9?token=x&a=1",
		strings.NewReader(`{"password":"pw","quantity":2}`))
	stock, _ := http.NewRequest("GET", server.URL+"/stock", nil)
	for _, request := range []*http.Request{order, stock} {
		request.Host = "shop.example.com"
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Cookie", "session=s3cret")
		request.Header.Set("Authorization", "Bearer abc")
		request.Header.Set("X-Forwarded-For", "203.0.113.77")
		if answer, err := http.DefaultClient.Do(request); err == nil {
			answer.Body.Close()
		}
	}
}

func trace() {
	background := sentry.SetHubOnContext(context.Background(), sentry.CurrentHub())
	transaction := sentry.StartTransaction(background, "checkout",
		sentry.WithOpName("task"), sentry.WithTransactionSource(sentry.SourceTask))
	query := sentry.StartSpan(transaction.Context(), "db.sql.query", sentry.WithDescription("SELECT 1"))
	query.SetData("db.system", "sqlite")
	query.SetData("rows", 3)
	query.SetTag("pool", "a")
	query.Finish()
	call := sentry.StartSpan(transaction.Context(), "http.client",
		sentry.WithDescription("GET https://pay.example.com/v1"))
	call.Status = sentry.SpanStatusInternalError
	call.Finish()
	sentry.NewLogger(transaction.Context()).Info().String("who", "ada").Emit("in the trace")
	sentry.GetHubFromContext(transaction.Context()).CaptureException(cart.Order("traced"))
	transaction.Finish()
}

func writeLogs() {
	background := context.Background()
	log := sentry.NewLogger(background)
	log.Info().String("who", "ada").Int("count", 3).Bool("vip", true).Float64("amount", 12.5).
		Emitf("order %d of %s", 9, "ada")
	log.Trace().Emit("first")
	log.Debug().Emit("second")
	log.Warn().Emit("slow")
	log.Error().Emit("failed")
	levels := []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError}
	handler := sentryslog.Option{LogLevel: levels, AddSource: true}.NewSentryHandler(background)
	pay := slog.New(handler).With("component", "pay").WithGroup("order")
	pay.Info("slog info", "lines", 1)
	pay.Error("slog error", "err", cart.Order("logged"), "lines", 2)
}

func measure() {
	meter := sentry.NewMeter(context.Background())
	meter.Count("orders", 2, sentry.WithAttributes(attribute.String("shop", "b")))
	meter.Gauge("queue", 7.5)
	meter.Distribution("latency", 12.5, sentry.WithUnit(sentry.UnitMillisecond))
}

func checkIn() {
	config := &sentry.MonitorConfig{
		Schedule: sentry.CrontabSchedule("0 3 * * *"), MaxRuntime: 5, CheckInMargin: 2, Timezone: "Europe/Berlin",
	}
	id := sentry.CaptureCheckIn(
		&sentry.CheckIn{MonitorSlug: "nightly-go", Status: sentry.CheckInStatusInProgress}, config)
	sentry.CaptureCheckIn(&sentry.CheckIn{
		ID: *id, MonitorSlug: "nightly-go", Status: sentry.CheckInStatusError, Duration: 2 * time.Second,
	}, config)
}

func attach() {
	sentry.WithScope(func(scope *sentry.Scope) {
		scope.AddAttachment(&sentry.Attachment{
			Filename: "order.txt", ContentType: "text/plain", Payload: []byte("line one\n"),
		})
		scope.AddAttachment(&sentry.Attachment{Filename: "dump.bin", Payload: []byte{0, 1, 2, 255, 10, 0}})
		report(cart.Order("attached"))
	})
}
