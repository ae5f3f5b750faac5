/** What became of everything that was sent: outcomes, items kept aside, and the stream of what just changed. */
import { z } from 'zod';
import { bulkState } from '../issues/bulk-contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import {
  dateTime,
  orgParams,
  pageQuery,
  projectParams,
  rangeQuery,
  repeatable,
  scopeQuery,
  Series,
} from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const outcomeKind = z.enum(['accepted', 'filtered', 'rate_limited', 'invalid', 'client_discard']);

export const intakeWeight = z
  .enum(['usual', 'fault', 'alarm'])
  .describe("usual: nothing is wrong. fault: a problem on the sender's side. alarm: the service lost data.");

const Outcomes = z
  .object({
    start: dateTime(),
    end: dateTime(),
    intervalSeconds: z.int(),
    intervals: z.array(dateTime()).describe('Starts of the buckets.'),
    groups: z.array(
      z.object({
        projectId: z.string(),
        projectSlug: z.string(),
        category: z.string().describe('error, transaction, session, …'),
        outcome: outcomeKind,
        reason: z.string().describe("'' for accepted items."),
        total: z.int(),
        series: z.array(z.int()).describe('One number per bucket.'),
      }),
    ),
  })
  .meta({ id: 'Outcomes' });

export const getOutcomes = endpoint({
  method: 'GET',
  url: '/organizations/:org/outcomes/',
  id: 'getOutcomes',
  tag: 'Intake',
  summary: 'Count accepted and rejected items by reason over time',
  description: 'Default range: 24h; at most 300 buckets.',
  access: 'org:read',
  params: orgParams,
  query: z.object({ project: scopeQuery.project, ...rangeQuery }),
  response: Outcomes,
});

const ended = (description: string) => z.int().describe(description);

export const getAccounts = endpoint({
  method: 'GET',
  url: '/organizations/:org/accounts/',
  id: 'getAccounts',
  tag: 'Intake',
  summary: 'Account for every item sent: by project, key and category, with what was dropped and why',
  description:
    'sent = accepted + filtered + limited + invalid + discarded. Whole minutes; default range: 24h; at most 5,000 accounts, the largest first.',
  access: 'org:read',
  params: orgParams,
  query: z.object({
    project: scopeQuery.project,
    key: z.coerce
      .number()
      .int()
      .min(0)
      .max(2 ** 31)
      .optional()
      .describe('Id of a key. 0: of items whose key is unknown.'),
    ...rangeQuery,
  }),
  response: z
    .object({
      start: dateTime(),
      end: dateTime(),
      accounts: z.array(
        z.object({
          projectId: z.string(),
          projectSlug: z.string(),
          keyId: z.string().nullable().describe('Null if the key is unknown, as in older counts.'),
          keyLabel: z.string().nullable().describe('Null if the key is deleted or unknown.'),
          category: z.string().describe('error, transaction, session, …'),
          sent: ended('All that applications had to send, with what their SDKs discarded.'),
          accepted: ended('Stored.'),
          filtered: ended('Dropped by a setting, a duplicate, or counted in a storm.'),
          limited: ended('Over a limit.'),
          invalid: ended('Rejected.'),
          discarded: ended('Not sent, as SDKs report.'),
          dropped: z
            .array(z.object({ outcome: outcomeKind, reason: z.string(), total: z.int() }))
            .describe('All that was not accepted, by reason, the largest first.'),
        }),
      ),
    })
    .meta({ id: 'Accounts' }),
});

/** By which Sentry's clients tell items apart. */
const statsKeys = ['category', 'outcome', 'reason', 'project'] as const;
/** How many there were, and in how many requests; here the first is both. */
const statsSums = ['sum(quantity)', 'sum(times_seen)'] as const;

const several = <const T extends readonly [string, ...string[]]>(names: T, description: string) =>
  z
    .preprocess(
      (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
      z.array(z.enum(names)).max(names.length),
    )
    .optional()
    .default([])
    .describe(description);

export const getStats = endpoint({
  method: 'GET',
  url: '/organizations/:org/stats_v2/',
  id: 'getStats',
  tag: 'Intake',
  summary: "Count items by category, outcome and reason over time, in Sentry's shape",
  description: 'Both sums are the number of items. Default range: 24h. At most 300 intervals; else they get longer.',
  access: 'org:read',
  params: orgParams,
  query: z.object({
    project: scopeQuery.project,
    ...rangeQuery,
    interval: z
      .string()
      .regex(/^(\d{1,9}[smhdw]?)?$/, invalid.interval)
      .optional()
      .describe('Length of an interval; default 1h.'),
    field: several(statsSums, 'Sums; default: sum(quantity).'),
    groupBy: several(statsKeys, 'What groups differ in; default: one group.'),
    category: repeatable('These categories only.'),
    outcome: repeatable('These outcomes only.'),
    reason: repeatable('These reasons only.'),
  }),
  response: z
    .object({
      start: dateTime(),
      end: dateTime(),
      intervals: z.array(dateTime()).describe('Starts of the intervals.'),
      groups: z.array(
        z.object({
          by: z.record(z.string(), z.union([z.string(), z.int()])),
          totals: z.record(z.string(), z.int()),
          series: z.record(z.string(), z.array(z.int())),
        }),
      ),
    })
    .meta({ id: 'Stats' }),
});

export const getStatsSummary = endpoint({
  method: 'GET',
  url: '/organizations/:org/stats-summary/',
  id: 'getStatsSummary',
  tag: 'Intake',
  summary: "Count items of each project by category and outcome, in Sentry's shape",
  description: 'Both sums are the number of items. Default range: 24h.',
  access: 'org:read',
  params: orgParams,
  query: z.object({
    project: scopeQuery.project,
    ...rangeQuery,
    field: z.enum(statsSums).default('sum(quantity)'),
    category: repeatable('These categories only.'),
    outcome: repeatable('These outcomes only.'),
    reason: repeatable('These reasons only.'),
  }),
  response: z
    .object({
      start: dateTime(),
      end: dateTime(),
      projects: z.array(
        z.object({
          id: z.string(),
          slug: z.string(),
          stats: z.array(
            z.object({
              category: z.string(),
              outcomes: z.record(z.string(), z.int()),
              totals: z.record(z.string(), z.int()).describe('The sum, and `dropped`: all but the accepted.'),
            }),
          ),
        }),
      ),
    })
    .meta({ id: 'StatsSummary' }),
});

const bucket = z.object({
  outcome: z.string(),
  reason: z.string().describe('accepted, for what was accepted.'),
  category: z.string(),
  start: z.int().describe('Seconds since the epoch.'),
  end: z.int(),
  count: z.int(),
  tags: z.array(z.enum(['intentional', 'unintentional'])).describe('intentional: by a filter or an SDK.'),
});

export const listEventsDropped = endpoint({
  method: 'GET',
  url: '/organizations/:org/events-dropped/',
  id: 'listEventsDropped',
  tag: 'Intake',
  summary: "Count what was dropped, and what was accepted, over time, in Sentry's shape",
  description: 'Default range: 24h. At most 300 intervals; else they get longer.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    dataset: z.enum(['errors', 'spans', 'logs', 'tracemetrics']).default('errors'),
    project: scopeQuery.project,
    ...rangeQuery,
    interval: z
      .string()
      .regex(/^(\d{1,9}[smhdw]?)?$/, invalid.interval)
      .optional()
      .describe('Length of an interval; default 1h.'),
    outcome: z.string().max(40).optional().describe('Dropped with this outcome only.'),
    reason: z.string().max(200).optional().describe('Dropped for this reason only.'),
  }),
  response: z
    .object({
      dataset: z.string(),
      interval: z.int().describe('Seconds.'),
      droppedEvents: z.array(bucket),
      acceptedEvents: z.array(bucket),
    })
    .meta({ id: 'EventsDropped' }),
});

const seconds = z.coerce.number().int().min(0).max(4_102_444_800);

export const getProjectStats = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/stats/',
  id: 'getProjectStats',
  tag: 'Intake',
  summary: "Count error events of a project over time, in Sentry's older shape",
  access: 'project:read',
  params: projectParams,
  query: z.object({
    stat: z
      .enum(['received', 'rejected', 'blacklisted', 'generated'])
      .default('received')
      .describe('rejected: over a limit or invalid. blacklisted: filtered. generated: accepted.'),
    since: seconds.optional().describe('Seconds since the epoch; default: 24 hours ago.'),
    until: seconds.optional().describe('Seconds since the epoch; default: now.'),
    resolution: z.enum(['10s', '1h', '1d']).default('1h').describe('Intervals; at most 300, else they get longer.'),
  }),
  response: Series,
});

const itemFields = {
  id: z.string(),
  projectId: z.string(),
  projectSlug: z.string(),
  dateReceived: dateTime(),
  type: z.string().describe('Item type as sent.'),
  category: z.string(),
  outcome: outcomeKind,
  reason: z.string(),
  detail: z.string().describe('What failed, as text.'),
  eventId: z.string().nullable(),
  sizeBytes: z.int(),
};

const Item = z.object(itemFields).meta({ id: 'Item' });
const ItemDetail = z
  .object({
    ...itemFields,
    headers: z.record(z.string(), z.unknown()),
    payload: z.string().nullable().describe('Payload as text; null if binary or larger than 1 MB.'),
  })
  .meta({ id: 'ItemDetail' });

export const listItems = endpoint({
  method: 'GET',
  url: '/organizations/:org/items/',
  id: 'listItems',
  tag: 'Intake',
  summary: 'List items stored as received: attachments, feedback, unsupported types, failed items',
  description: 'Newest first. Default range: 14d.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    project: scopeQuery.project,
    type: z.string().max(200).optional(),
    outcome: outcomeKind.optional(),
    reason: z.string().max(200).optional(),
    ...rangeQuery,
    ...pageQuery,
  }),
  response: z.array(Item),
});

export const getItem = endpoint({
  method: 'GET',
  url: '/organizations/:org/items/:item/',
  id: 'getItem',
  tag: 'Intake',
  summary: 'Get an item stored as received, with its payload',
  access: 'event:read',
  params: orgParams.extend({ item: z.string().max(100) }),
  response: ItemDetail,
});

/** Documented with the stream; one JSON object in each `data:` line. */
export const LiveEvent = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('events'),
      projectId: z.string(),
      projectSlug: z.string(),
      issueIds: z.array(z.string()),
      newIssueIds: z.array(z.string()).describe('New issues among them.'),
      count: z.int().describe('Number of stored events.'),
      first: z.boolean().describe('True for the first event of the project.'),
    }),
    z
      .object({
        type: z.literal('spans'),
        projectId: z.string(),
        projectSlug: z.string(),
        count: z.int().describe('Number of stored spans.'),
        traceIds: z.array(z.string()).describe('Traces of these spans, at most 100.'),
        first: z.boolean().describe('True for the first spans of the project.'),
      })
      .describe('Spans were stored.'),
    z.object({
      type: z.literal('issues'),
      projectId: z.string(),
      projectSlug: z.string(),
      issueIds: z.array(z.string()),
    }),
    z
      .object({
        type: z.literal('digest'),
        projectId: z.string(),
        projectSlug: z.string(),
        issueIds: z.array(z.string()).describe('Issue of the event.'),
        watchId: z.string(),
        digest: z.string(),
        eventId: z.string(),
      })
      .describe('A watched digest arrived; sent to its watcher only.'),
    z
      .object({
        type: z.literal('bulk'),
        id: z.string(),
        state: bulkState,
        total: z.int(),
        done: z.int(),
        changed: z.int(),
      })
      .describe('Progress of a bulk change; sent to its author only.'),
  ])
  .meta({ id: 'LiveEvent' });

export const getLive = endpoint({
  method: 'GET',
  url: '/organizations/:org/live/',
  id: 'getLive',
  tag: 'Intake',
  summary: 'Stream changes as server-sent events',
  description:
    'Each message is a LiveEvent. A comment every 15 seconds keeps the connection open. With `lastMs`, a client misses nothing between its first request and the stream.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    // Negative where the clock of a client was set back.
    lastMs: z.coerce
      .number()
      .optional()
      .describe('Replay changes from this many milliseconds before the stream opened, at most 10,000.'),
  }),
  response: LiveEvent,
  produces: 'text/event-stream',
});
