/** Where one span, or one event, stands in its trace: a few rows for pages that are about something else. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams, repeatable } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const spanId = z
  .string()
  .regex(/^[0-9a-fA-F]{16}$/, invalid.hex(16))
  .transform((id) => id.toLowerCase());

const flag = (description: string) => z.literal(true).optional().describe(description);

const ExcerptRow = z
  .object({
    id: z.string().describe('Span ID.'),
    depth: z.int().describe('Under the nearest shown ancestor.'),
    skipped: z.int().describe('Omitted levels between the two.'),
    hidden: z.int().describe('Omitted rows before it.'),
    offsetUs: z.int().describe('From the start of the trace, µs, corrected.'),
    durationUs: z.int(),
    op: z.string(),
    name: z.string(),
    service: z.string(),
    status: z.string(),
    failed: flag('The status is a failure.'),
    asked: flag('It is the requested span, or contains the requested event.'),
    errors: z.int().describe('Errors in this span.'),
  })
  .meta({ id: 'TraceExcerptRow' });

const ExcerptIssue = z
  .object({
    issueId: z.string(),
    shortId: z.string().nullable(),
    eventId: z.string().describe('ID of its first event in the trace.'),
    category: z.enum(['error', 'performance']),
    title: z.string(),
    level: z.string(),
    offsetUs: z.int(),
    count: z.int().describe('Number of its events in the trace.'),
  })
  .meta({ id: 'TraceExcerptIssue' });

export const TraceExcerpt = z
  .object({
    traceId: z.string(),
    startUs: z.int().describe('µs since the epoch; offsets count from here.'),
    durationUs: z.int(),
    spans: z.int().describe('Spans of the whole trace; 0 if none is stored.'),
    services: z.array(z.string()).describe('Names in order of appearance; at most 20.'),
    found: z.boolean().describe('Whether the span of the request is stored.'),
    offsetUs: z.int().nullable().describe('Time of the event.'),
    rows: z.array(ExcerptRow),
    after: z.int().describe('Omitted rows after the last.'),
    issues: z.array(ExcerptIssue).describe('Other issues of the trace, by time, at most 10.'),
    logs: z
      .array(z.object({ offsetUs: z.int(), level: z.string(), message: z.string() }))
      .describe('Logs around the event, by time, at most 8.'),
  })
  .meta({ id: 'TraceExcerpt' });

export const getTraceExcerpt = endpoint({
  method: 'GET',
  url: '/organizations/:org/trace/:trace/excerpt/',
  id: 'getTraceExcerpt',
  tag: 'Traces',
  summary: 'Get the surroundings of a span or event in its trace',
  description: 'Path from the root to the span, with siblings. Without a stored span: the longest spans of the trace.',
  access: 'event:read',
  params: orgParams.extend({
    trace: z
      .string()
      .regex(/^[0-9a-fA-F-]{32,36}$/, invalid.hex(32))
      .transform((id) => id.replaceAll('-', '').toLowerCase())
      .describe('Trace ID, 32 hexadecimal digits.'),
  }),
  query: z.object({
    span: z
      .preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), z.array(spanId).max(20))
      .optional()
      .default([])
      .describe('Span IDs; the first is the requested span.'),
    event: z
      .string()
      .regex(/^[0-9a-fA-F-]{32,36}$/, invalid.hex(32))
      .transform((id) => id.replaceAll('-', '').toLowerCase())
      .optional()
      .describe('ID of an event of the trace.'),
    rows: z.coerce.number().int().min(1).max(40).default(8).describe('Maximum number of rows.'),
    project: repeatable('IDs or slugs of projects; none or -1: all.'),
    timestamp: z.coerce
      .number()
      .min(0)
      .max(253_402_300_799)
      .optional()
      .describe(
        'A time within the trace in seconds since the epoch. Speeds up the search, and limits it to two days around it.',
      ),
  }),
  response: TraceExcerpt,
});
