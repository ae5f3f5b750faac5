// An old sentry-go, which sends to /store/ and reads source lines: RECORD_DSN=… oldshop main.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/getsentry/sentry-go"
)

var stock map[string]int

func order() {
	defer func() { sentry.CurrentHub().Recover(recover()) }()
	stock["A-1"] = 1
}

func main() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn:              os.Getenv("RECORD_DSN"),
		Release:          "old-go@0.13",
		Environment:      "staging",
		ServerName:       "web-3",
		AttachStacktrace: true,
		TracesSampleRate: 1,
	})
	if err != nil {
		panic(err)
	}
	sentry.CaptureException(fmt.Errorf("order: %w", errors.New("no stock")))
	sentry.CaptureMessage("stock is low")
	order()
	sentry.Flush(3 * time.Second)
}
