import * as m from '../../../messages/platforms.ts';
import type { Setup, SetupStep } from './template.ts';

/** Each line within `main`. */
const init = `	if err := sentry.Init(sentry.ClientOptions{
		Dsn: "‹dsn›",
‹traces›		EnableTracing: true,
‹traces›		TracesSampleRate: 1.0,
‹release›		Release: "shop@1.0.0",
	}); err != nil {
		log.Fatal(err)
	}
	defer sentry.Flush(2 * time.Second)
‹logs›
‹logs›	logger := slog.New(sentryslog.Option{}.NewSentryHandler(context.Background()))
‹logs›	logger.Info("started")`;

const install = (...packages: readonly string[]): SetupStep => ({
  title: m.install,
  language: 'sh',
  code: ['github.com/getsentry/sentry-go', '‹logs›github.com/getsentry/sentry-go/slog', ...packages]
    .map((name) => name.replace(/^(‹\w+›)?/, '$1go get '))
    .join('\n'),
});

const pathOf = (name: string): string => /"(.+)"/.exec(name)?.[1] ?? name;

/** A whole program; the imports are those besides the SDK's own. */
const main = (standard: readonly string[], others: readonly string[], body: string, declared = ''): string => {
  const listed = (names: readonly string[]): string =>
    names
      .toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1))
      .map((name) => name.replace(/^(‹\w+›)?/, '$1\t'))
      .join('\n');
  return `package main

import (
${listed([...standard, '"log"', '"time"', '‹logs›"context"', '‹logs›"log/slog"'])}

${listed(['"github.com/getsentry/sentry-go"', '‹logs›sentryslog "github.com/getsentry/sentry-go/slog"', ...others])}
)
${declared && `\n${declared}\n`}
func main() {
${init}

${body}
}`;
};

const program = (code: string): SetupStep => ({ title: m.initialize, file: 'main.go', language: 'go', code });

const request: SetupStep = {
  title: m.runTestError,
  language: 'sh',
  code: 'go run . &\ncurl http://localhost:8080/test-error',
};

export const platforms: Readonly<Record<string, Setup>> = {
  go: {
    steps: [
      install(),
      program(main(['"errors"'], [], `	sentry.CaptureException(errors.New("Hello, Culprit"))`)),
      { title: m.runTestError, language: 'sh', code: 'go run .' },
    ],
  },
  'go-http': {
    steps: [
      install(),
      program(
        main(
          ['"net/http"'],
          ['sentryhttp "github.com/getsentry/sentry-go/http"'],
          `	handler := sentryhttp.New(sentryhttp.Options{Repanic: true})
	http.HandleFunc("/test-error", handler.HandleFunc(func(http.ResponseWriter, *http.Request) {
		panic("Hello, Culprit")
	}))
	log.Print(http.ListenAndServe(":8080", nil))`,
        ),
      ),
      request,
    ],
  },
  'go-gin': {
    steps: [
      install('github.com/getsentry/sentry-go/gin', 'github.com/gin-gonic/gin'),
      program(
        main(
          [],
          ['sentrygin "github.com/getsentry/sentry-go/gin"', '"github.com/gin-gonic/gin"'],
          `	app := gin.Default()
	app.Use(sentrygin.New(sentrygin.Options{Repanic: true}))
	app.GET("/test-error", func(*gin.Context) {
		panic("Hello, Culprit")
	})
	log.Print(app.Run(":8080"))`,
        ),
      ),
      request,
    ],
  },
  'go-echo': {
    steps: [
      install('github.com/getsentry/sentry-go/echo', 'github.com/labstack/echo/v4'),
      program(
        main(
          [],
          [
            'sentryecho "github.com/getsentry/sentry-go/echo"',
            '"github.com/labstack/echo/v4"',
            '"github.com/labstack/echo/v4/middleware"',
          ],
          `	app := echo.New()
	app.Use(middleware.Recover())
	app.Use(sentryecho.New(sentryecho.Options{Repanic: true}))
	app.GET("/test-error", func(echo.Context) error {
		panic("Hello, Culprit")
	})
	log.Print(app.Start(":8080"))`,
        ),
      ),
      request,
    ],
  },
  'go-fiber': {
    steps: [
      install('github.com/getsentry/sentry-go/fiber', 'github.com/gofiber/fiber/v2'),
      program(
        main(
          [],
          [
            'sentryfiber "github.com/getsentry/sentry-go/fiber"',
            '"github.com/gofiber/fiber/v2"',
            '"github.com/gofiber/fiber/v2/middleware/recover"',
          ],
          `	app := fiber.New()
	app.Use(recover.New())
	app.Use(sentryfiber.New(sentryfiber.Options{Repanic: true}))
	app.Get("/test-error", func(*fiber.Ctx) error {
		panic("Hello, Culprit")
	})
	log.Print(app.Listen(":8080"))`,
        ),
      ),
      request,
    ],
  },
  'go-chi': {
    steps: [
      install('github.com/go-chi/chi/v5'),
      program(
        main(
          ['"net/http"'],
          [
            'sentryhttp "github.com/getsentry/sentry-go/http"',
            '"github.com/go-chi/chi/v5"',
            '"github.com/go-chi/chi/v5/middleware"',
          ],
          `	app := chi.NewRouter()
	app.Use(middleware.Recoverer)
	app.Use(sentryhttp.New(sentryhttp.Options{Repanic: true}).Handle)
	app.Get("/test-error", func(http.ResponseWriter, *http.Request) {
		panic("Hello, Culprit")
	})
	log.Print(http.ListenAndServe(":8080", app))`,
        ),
      ),
      request,
    ],
  },
  'go-fasthttp': {
    steps: [
      install('github.com/getsentry/sentry-go/fasthttp', 'github.com/valyala/fasthttp'),
      program(
        main(
          [],
          ['sentryfasthttp "github.com/getsentry/sentry-go/fasthttp"', '"github.com/valyala/fasthttp"'],
          `	handler := sentryfasthttp.New(sentryfasthttp.Options{})
	log.Print(fasthttp.ListenAndServe(":8080", handler.Handle(func(*fasthttp.RequestCtx) {
		panic("Hello, Culprit")
	})))`,
        ),
      ),
      request,
    ],
  },
};

export const openTelemetry: readonly SetupStep[] = [
  {
    title: m.install,
    language: 'sh',
    code: `go get go.opentelemetry.io/otel go.opentelemetry.io/otel/sdk
go get go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp
go get go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp`,
  },
  {
    title: m.initialize,
    file: 'main.go',
    language: 'go',
    code: `package main

import (
	"context"
	"log"
	"net/http"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/trace"
)

func main() {
	ctx := context.Background()
	// Endpoint and headers are those of the environment.
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		log.Fatal(err)
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter))
	defer provider.Shutdown(ctx)
	otel.SetTracerProvider(provider)

	log.Print(http.ListenAndServe(":8080", otelhttp.NewHandler(http.DefaultServeMux, "server")))
}`,
  },
];
