// Package cart is a shop's cart: each function fails in its own way.
package cart

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrClosed is a sentinel.
var ErrClosed = errors.New("shop is closed")

// OutOfStock is an error type of the application.
type OutOfStock struct {
	SKU    string
	Wanted int
}

func (e *OutOfStock) Error() string {
	return fmt.Sprintf("only 3 of %s left, %d wanted", e.SKU, e.Wanted)
}

// ReadQuantity wraps what strconv says.
func ReadQuantity(text string) (int, error) {
	quantity, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("read quantity: %w", err)
	}
	return quantity, nil
}

// Order wraps once more.
func Order(text string) error {
	if _, err := ReadQuantity(text); err != nil {
		return fmt.Errorf("order 9: %w", err)
	}
	return nil
}

// Both fails in two ways at once.
func Both() error {
	return errors.Join(&OutOfStock{"A-1", 7}, fmt.Errorf("checkout: %w", ErrClosed))
}

// Basket holds what is bought.
type Basket struct{ items []int }

// At panics past the end.
//
//go:noinline
func (b *Basket) At(index int) int { return b.items[index] }

// Map is generic.
//
//go:noinline
func Map[T any](in []T, change func(T) T) []T {
	out := make([]T, 0, len(in))
	for _, value := range in {
		out = append(out, change(value))
	}
	return out
}
