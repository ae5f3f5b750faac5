// Jobs of asynq, which no SDK instruments: a middleware of a few lines names queue, wait, retries and outcome.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/getsentry/sentry-go"
	"github.com/hibiken/asynq"
)

const enqueuedAt = "enqueued_at"

// traced makes a transaction of each task.
func traced(next asynq.Handler) asynq.Handler {
	return asynq.HandlerFunc(func(ctx context.Context, task *asynq.Task) error {
		span := sentry.StartTransaction(ctx, task.Type(), sentry.WithOpName("queue.process"))
		defer span.Finish()
		queue, _ := asynq.GetQueueName(ctx)
		retries, _ := asynq.GetRetryCount(ctx)
		span.SetData("messaging.system", "redis")
		span.SetData("messaging.destination.name", queue)
		span.SetData("messaging.message.retry.count", retries)
		if at, err := strconv.ParseInt(task.Headers()[enqueuedAt], 10, 64); err == nil {
			span.SetData("messaging.message.receive.latency", time.Since(time.UnixMilli(at)).Milliseconds())
		}
		err := next.ProcessTask(span.Context(), task)
		span.Status = sentry.SpanStatusOK
		if err != nil {
			span.Status = sentry.SpanStatusInternalError
		}
		return err
	})
}

func main() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn:              os.Getenv("RECORD_DSN"),
		Release:          "shop-jobs@1.0.0",
		Environment:      "production",
		ServerName:       "worker-2",
		EnableTracing:    true,
		TracesSampleRate: 1,
	})
	if err != nil {
		panic(err)
	}
	store := miniredis.NewMiniRedis()
	if err := store.Start(); err != nil {
		panic(err)
	}
	redis := asynq.RedisClientOpt{Addr: store.Addr()}
	var done sync.WaitGroup
	done.Add(3)
	server := asynq.NewServer(redis, asynq.Config{
		Concurrency:    1,
		Queues:         map[string]int{"mail": 1},
		RetryDelayFunc: func(int, error, *asynq.Task) time.Duration { return time.Hour },
		LogLevel:       asynq.FatalLevel,
	})
	mux := asynq.NewServeMux()
	mux.Use(traced)
	mux.HandleFunc("mail:welcome", func(context.Context, *asynq.Task) error {
		defer done.Done()
		time.Sleep(20 * time.Millisecond)
		return nil
	})
	mux.HandleFunc("mail:invoice", func(context.Context, *asynq.Task) error {
		defer done.Done()
		return errors.New("no printer")
	})
	client := asynq.NewClient(redis)
	for _, name := range []string{"mail:welcome", "mail:welcome", "mail:invoice"} {
		headers := map[string]string{enqueuedAt: fmt.Sprint(time.Now().UnixMilli())}
		if _, err := client.Enqueue(asynq.NewTaskWithHeaders(name, nil, headers), asynq.Queue("mail")); err != nil {
			panic(err)
		}
	}
	time.Sleep(50 * time.Millisecond)
	if err := server.Start(mux); err != nil {
		panic(err)
	}
	done.Wait()
	server.Shutdown()
	sentry.Flush(5 * time.Second)
}
