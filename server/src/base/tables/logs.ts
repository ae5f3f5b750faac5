import type { RowOf, TableRecord } from './record.ts';

export const tables = {
  /** One log record, of a Sentry SDK or of OpenTelemetry. Names of attributes as of spans. */
  logs: {
    filledBy: 'items',
    shardBy: 'project_id, timestamp, sequence',
    time: 'timestamp',
    age: 'timestamp',
    retention: 'logs',
    category: 'log_item',
    itemType: 'log',
    exported: 'rows',
    // Its body and attributes as they are read; the columns by `logFields`.
    scrubbed: 'before',
    columns: {
      project_id: 'number',
      /** When it was written. */
      timestamp: 'micros',
      /** Orders the logs of one moment: what the sender says first, then the place in its request. */
      sequence: 'number',
      /** When whoever collected it saw it; the timestamp where nobody says. */
      observed_at: 'micros',
      received_at: 'millis',
      /** 32 lower-case hex digits or ''. */
      trace_id: 'text:known',
      /** 16 lower-case hex digits or ''. */
      span_id: 'text:known',
      /** trace, debug, info, warn, error or fatal. */
      level: 'text:known',
      /** OpenTelemetry's, 1 to 24; 0 where the sender names no severity. */
      severity_number: 'number',
      /** At most 16,384 characters; a body that is no text as JSON. */
      body: 'text:known',
      origin: 'text:id',
      /** `service.name`, else the name of the server, else ''. */
      service: 'text:id',
      environment: 'text:id',
      release: 'text:id',
      sdk_name: 'text:id',
      sdk_version: 'text:id',
      /** As of spans. */
      attributes: 'text by name',
      numbers: 'number by name',
      /** JSON of what was changed or cut, '' for nothing. */
      remarks: 'text:known',
    },
  },
} satisfies Record<string, TableRecord>;

export type LogRow = RowOf<typeof tables.logs>;
