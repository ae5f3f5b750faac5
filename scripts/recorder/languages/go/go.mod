module example.com/shop

go 1.26

require (
	github.com/getsentry/sentry-go v0.50.0
	github.com/getsentry/sentry-go/slog v0.50.0
	github.com/pkg/errors v0.9.1
)

require (
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.41.0 // indirect
)
