// Runs one scenario with sentry-go: RECORD_DSN=… shop SCENARIO. Without a server it prints what the runtime prints.
package main

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"example.com/shop/internal/cart"
	"github.com/getsentry/sentry-go"
	pkgerrors "github.com/pkg/errors"
)

var (
	isRecorded = os.Getenv("RECORD_DSN") != ""
	printed    int
)

// report captures an error. Without a server it is printed, a form feed between two.
func report(err error) {
	if isRecorded {
		sentry.CaptureException(err)
		return
	}
	if printed > 0 {
		fmt.Fprint(os.Stderr, "\f")
	}
	printed++
	fmt.Fprintf(os.Stderr, "%+v\n", err)
}

// guard captures a panic. Without a server the panic goes on, and the runtime prints it.
func guard() {
	if !isRecorded {
		return
	}
	if reason := recover(); reason != nil {
		sentry.CurrentHub().Recover(reason)
	}
}

func outOfRange() {
	defer guard()
	basket := &cart.Basket{}
	cart.Map([]int{1}, func(int) int { return basket.At(5) })
}

func writeToNil() {
	defer guard()
	var stock map[string]int
	stock["A-1"] = 1
}

func inGoroutine() {
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		defer guard()
		panic(fmt.Sprintf("worker %d gave up", 7))
	}()
	group.Wait()
}

func wrapped() {
	report(cart.Order("two"))
	report(cart.Order("three"))
}

func savingFails() {
	report(pkgerrors.Wrap(pkgerrors.New("disk full"), "saving the order"))
}

func twoBugs() {
	report(errors.New("first bug"))
	report(errors.New("second bug"))
}

var scenarios = map[string]func(){
	"wrapped":   wrapped,
	"join":      func() { report(cart.Both()) },
	"sentinel":  func() { report(cart.ErrClosed) },
	"twobugs":   twoBugs,
	"pkgerrors": savingFails,
	"panic":     outOfRange,
	"panicerr":  writeToNil,
	"goroutine": inGoroutine,
	"message":   func() { sentry.CaptureMessage("stock is low") },
	"http-t":    serve,
	"trace-t":   trace,
	"logs":      writeLogs,
	"metrics":   measure,
	"checkin":   checkIn,
	"attach":    attach,
}

func main() {
	scenario := os.Args[1]
	if isRecorded {
		start()
		defer sentry.Flush(5 * time.Second)
	}
	scenarios[scenario]()
}

func start() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn:              os.Getenv("RECORD_DSN"),
		Release:          "shop-go@3.1.0",
		Environment:      "staging",
		Dist:             "7",
		ServerName:       "web-3",
		EnableTracing:    true,
		TracesSampleRate: 1,
		SendDefaultPII:   true,
		AttachStacktrace: true,
	})
	if err != nil {
		panic(err)
	}
	sentry.ConfigureScope(func(scope *sentry.Scope) {
		scope.SetUser(sentry.User{
			ID: "u-42", Email: "ada@example.com", Username: "ada", IPAddress: "203.0.113.9",
			Data: map[string]string{"tier": "vip"},
		})
		scope.SetTag("plan", "gold")
		scope.SetContext("order", sentry.Context{"id": 9, "total": 12.5})
	})
	sentry.AddBreadcrumb(&sentry.Breadcrumb{
		Category: "cart", Message: "added A-1", Level: sentry.LevelInfo, Data: map[string]any{"sku": "A-1"},
	})
}
