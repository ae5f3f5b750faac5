/** What OTLP carries: each signal has its own request, and all three nest alike. */

export type Signal = 'traces' | 'logs' | 'metrics';

/** Encodings of a request and of its answer. */
export type WireForm = 'protobuf' | 'json';

interface SignalNames {
  /** Item type in the log and in outcomes that keep the request aside. */
  readonly itemType: string;
  /** The two lists and the records in them, as JSON names them. */
  readonly groups: string;
  readonly scopes: string;
  readonly records: string;
  /** Count of refused records in the answer, as JSON names it. */
  readonly rejected: string;
  /** Package of its messages, and the message of one record. */
  readonly record: string;
}

export const signals: Readonly<Record<Signal, SignalNames>> = {
  traces: {
    itemType: 'otlp_traces',
    groups: 'resourceSpans',
    scopes: 'scopeSpans',
    records: 'spans',
    rejected: 'rejectedSpans',
    record: 'opentelemetry.proto.trace.v1.Span',
  },
  logs: {
    itemType: 'otlp_logs',
    groups: 'resourceLogs',
    scopes: 'scopeLogs',
    records: 'logRecords',
    rejected: 'rejectedLogRecords',
    record: 'opentelemetry.proto.logs.v1.LogRecord',
  },
  metrics: {
    itemType: 'otlp_metrics',
    groups: 'resourceMetrics',
    scopes: 'scopeMetrics',
    records: 'metrics',
    rejected: 'rejectedDataPoints',
    record: 'opentelemetry.proto.metrics.v1.Metric',
  },
};

export const signalNames: readonly Signal[] = ['traces', 'logs', 'metrics'];

/** The request is no request of its signal; the message says what is wrong, without quoting it. */
export class OtlpError extends Error {
  override readonly name = 'OtlpError';
}
