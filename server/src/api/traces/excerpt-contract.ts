/** Where one span, or one event, stands in its trace: a few rows for pages that are about something else. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams, repeatable } from '../shared/schemas.ts';

const spanId = z
  .string()
  .regex(/^[0-9a-fA-F]{16}$/, 'must be 16 hexadecimal digits')
  .transform((id) => id.toLowerCase());

const flag = (description: string) => z.literal(true).optional().describe(description);

const ExcerptRow = z
  .object({
    id: z.string().describe('Span id.'),
    depth: z.int().describe('Below the nearest of its ancestors that is shown too.'),
    skipped: z.int().describe('Levels between the two that are left out.'),
    hidden: z.int().describe('Rows left out before it.'),
    offsetUs: z.int().describe('From the start of the trace, µs, corrected.'),
    durationUs: z.int(),
    op: z.string(),
    name: z.string(),
    service: z.string(),
    status: z.string(),
    failed: flag('Its status says so.'),
    asked: flag('It was asked for, or the event that was asked for happened in it.'),
    errors: z.int().describe('Errors that happened in it.'),
  })
  .meta({ id: 'TraceExcerptRow' });

const ExcerptIssue = z
  .object({
    issueId: z.string(),
    shortId: z.string().nullable(),
    eventId: z.string().describe('Of its first event in the trace.'),
    category: z.enum(['error', 'performance']),
    title: z.string(),
    level: z.string(),
    offsetUs: z.int(),
    count: z.int().describe('Of its events in the trace.'),
  })
  .meta({ id: 'TraceExcerptIssue' });

export const TraceExcerpt = z
  .object({
    traceId: z.string(),
    startUs: z.int().describe('µs since the epoch; offsets count from here.'),
    durationUs: z.int(),
    spans: z.int().describe('Of the whole trace; 0 where none is stored.'),
    services: z.array(z.string()).describe('Names, in the order in which they come; at most 20.'),
    found: z.boolean().describe('Whether what was asked for stands in a span that is there.'),
    offsetUs: z.int().nullable().describe('When the event happened.'),
    rows: z.array(ExcerptRow),
    after: z.int().describe('Rows left out after the last.'),
    issues: z.array(ExcerptIssue).describe('Others of the trace, by time, at most 10.'),
    logs: z
      .array(z.object({ offsetUs: z.int(), level: z.string(), message: z.string() }))
      .describe('Those next to the event, by time, at most 8.'),
  })
  .meta({ id: 'TraceExcerpt' });

export const getTraceExcerpt = endpoint({
  method: 'GET',
  url: '/organizations/:org/trace/:trace/excerpt/',
  id: 'getTraceExcerpt',
  tag: 'Traces',
  summary: 'Where a span or an event stands in its trace',
  description:
    'The way from the root to it and what stands beside it. Without a span, or where it is not stored, the longest of the trace.',
  access: 'event:read',
  params: orgParams.extend({
    trace: z
      .string()
      .regex(/^[0-9a-fA-F-]{32,36}$/, 'must be 32 hexadecimal digits')
      .transform((id) => id.replaceAll('-', '').toLowerCase())
      .describe('Trace id, 32 hexadecimal digits.'),
  }),
  query: z.object({
    span: z
      .preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), z.array(spanId).max(20))
      .optional()
      .default([])
      .describe('Span ids; the first is what it is about.'),
    event: z
      .string()
      .regex(/^[0-9a-fA-F-]{32,36}$/, 'must be 32 hexadecimal digits')
      .transform((id) => id.replaceAll('-', '').toLowerCase())
      .optional()
      .describe('Id of an event of the trace.'),
    rows: z.coerce.number().int().min(1).max(40).default(8).describe('At most so many.'),
    project: repeatable('Ids or slugs of projects; none or -1 for all.'),
    timestamp: z.coerce
      .number()
      .min(0)
      .max(253_402_300_799)
      .optional()
      .describe('Seconds since the epoch, a moment of the trace: it is found faster, and only within two days of it.'),
  }),
  response: TraceExcerpt,
});
