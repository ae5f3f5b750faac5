module example.com/oldshop

go 1.26

require github.com/getsentry/sentry-go v0.13.0

require golang.org/x/sys v0.0.0-20211007075335-d3039528d8ac // indirect
