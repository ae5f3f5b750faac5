/** Spans, and what views make of them. */
import type { RowOf, TableRecord } from './record.ts';

export const tables = {
  /**
   * One span of a trace, whatever sent it: a transaction with its spans, a span alone, a span container, OpenTelemetry.
   * Names of attributes are OpenTelemetry's semantic conventions; older names are mapped onto them.
   */
  spans: {
    filledBy: 'items',
    // A trace crosses projects, and lies in one place.
    shardBy: 'trace_id',
    time: 'started_at',
    age: 'started_at',
    retention: 'spans',
    category: 'span',
    itemType: 'span',
    exported: 'explore',
    // Names, attributes and what is made of them as they are read; the columns by `spanFields`.
    scrubbed: 'before',
    columns: {
      project_id: 'number',
      /** 32 lower-case hex digits. */
      trace_id: 'text:known',
      /** 16 lower-case hex digits. */
      span_id: 'text:known',
      /** '' for none. */
      parent_span_id: 'text:known',
      /** Span id of the segment, the root span of one service; '' where it is not known. */
      segment_id: 'text:known',
      is_segment: 'flag',
      started_at: 'micros',
      /** At least 0. */
      duration_us: 'number',
      /** Duration without what the children cover; -1 where the children are not known. */
      exclusive_us: 'signed',
      received_at: 'millis',
      /** `http.server`, `db`, `ui.webvital.lcp`, …; made from attributes where the sender has none. */
      op: 'text:id',
      /** As sent, at most 2,000 characters: the description of old spans, the name of new ones. */
      name: 'text:known',
      /** For grouping: without literals and ids. */
      description: 'text:known',
      /** 16 hex digits of the description and the family of its op; '' where there is no description. */
      description_hash: 'text:known',
      /** Name of the segment; '' where it is not known. */
      transaction: 'text:known',
      /** custom, url, route, view, component, task or ''. */
      transaction_source: 'text:known',
      /** '' for none said, ok, or how it failed: internal_error, not_found, … */
      status: 'text:known',
      /** 1 for each status but ok, cancelled, unknown and ''. */
      failed: 'flag',
      /** server, client, producer, consumer, internal or ''. */
      kind: 'text:known',
      origin: 'text:id',
      /** `service.name`, else the name of the server, else ''. */
      service: 'text:id',
      platform: 'text:known',
      environment: 'text:id',
      release: 'text:id',
      dist: 'text:id',
      /** As of errors. */
      user: 'text:known',
      sdk_name: 'text:id',
      sdk_version: 'text:id',
      /** Text values, lists and objects as JSON: at most 250 of at most 2,000 characters. */
      attributes: 'text by name',
      /** Numeric attributes and measurements: lcp, inp, fcp, ttfb in ms, cls, http.response.status_code, … */
      numbers: 'number by name',
      /** JSON `[{trace_id, span_id, attributes}]`, '' for none. */
      links: 'text:known',
      /** JSON `[{name, at_us, attributes}]`, '' for none. */
      events: 'text:known',
      /** JSON of what was changed or cut, '' for nothing. */
      remarks: 'text:known',
    },
  },
  /** Segments by time, slim. */
  segments: { filledBy: 'view', age: 'started_at', retention: 'spans' },
  transaction_hours: { filledBy: 'view', age: 'hour', retention: 'spans' },
  transaction_days: { filledBy: 'view', age: 'day', retention: 'spans' },
  vital_hours: { filledBy: 'view', age: 'hour', retention: 'spans' },
  vital_days: { filledBy: 'view', age: 'day', retention: 'spans' },
} satisfies Record<string, TableRecord>;

export type SpanRow = RowOf<typeof tables.spans>;
