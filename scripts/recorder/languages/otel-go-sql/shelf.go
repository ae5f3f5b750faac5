package main

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
	"time"
)

// shelf is a database of ten books, as far away as one on another machine.
type shelf struct{}

func (s shelf) Connect(context.Context) (driver.Conn, error) { return s, nil }
func (s shelf) Driver() driver.Driver                        { return s }
func (s shelf) Open(string) (driver.Conn, error)             { return s, nil }
func (s shelf) Prepare(string) (driver.Stmt, error)          { return nil, errors.New("not prepared") }
func (s shelf) Close() error                                 { return nil }
func (s shelf) Begin() (driver.Tx, error)                    { return nil, errors.New("nothing is written") }

func (s shelf) QueryContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	time.Sleep(8 * time.Millisecond)
	if strings.Contains(query, "authors") {
		return &answer{column: "name", values: []driver.Value{"Ada"}}, nil
	}
	ids := make([]driver.Value, 10)
	for index := range ids {
		ids[index] = int64(index)
	}
	return &answer{column: "id", values: ids}, nil
}

type answer struct {
	column string
	values []driver.Value
}

func (a *answer) Columns() []string { return []string{a.column} }
func (a *answer) Close() error      { return nil }

func (a *answer) Next(row []driver.Value) error {
	if len(a.values) == 0 {
		return io.EOF
	}
	row[0], a.values = a.values[0], a.values[1:]
	return nil
}
