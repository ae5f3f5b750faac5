/** Events as Sentry's clients read them. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { issueParams, orgIssueParams } from '../issues/contract.ts';
import { dateTime, orgParams, pageQuery, projectParams, rangeQuery, scopeQuery } from '../shared/schemas.ts';

const json = z.record(z.string(), z.unknown());
const text = z.string().nullable();

const ThreadId = z.union([z.string(), z.number()]).nullable();

/** Inner names are the wire's, as Sentry's API has them. */
const Lock = z
  .object({
    type: z.int().nullable().describe('1 held, 2 waiting, 4 sleeping, 8 blocked.'),
    address: text,
    package_name: text,
    class_name: text,
    thread_id: ThreadId.describe('Thread that holds it.'),
  })
  .meta({ id: 'Lock' });

export const Frame = z
  .object({
    filename: text,
    absPath: text,
    module: text,
    package: text,
    platform: text,
    function: text,
    rawFunction: text,
    lineNo: z.int().nullable(),
    colNo: z.int().nullable(),
    inApp: z.boolean(),
    context: z.array(z.tuple([z.int(), z.string()])).describe('Source lines with their numbers; empty without source.'),
    vars: json.nullable(),
    native: z.literal(true).optional().describe('A `native` method of Java.'),
    lock: Lock.optional().describe('What the thread holds or waits for here.'),
    instructionAddr: text,
    symbolAddr: text,
    imageAddr: z.string().optional().describe('Start of the binary in `package`.'),
    trust: text,
    data: json
      .nullable()
      .describe(
        'Added by processing. Mapped frames: `sourcemap`, and `raw` as sent. Unresolved frames: `unresolved` with `code` no_artifact, no_map, map_invalid, no_mapping, no_position or no_source, and `debug_id` and `detail` if known.',
      ),
    sourceLink: text.describe('Line in the repository, if a code mapping matches.'),
  })
  .meta({ id: 'Frame' });

export const Stacktrace = z
  .object({
    frames: z.array(Frame).describe('Oldest call first.'),
    framesOmitted: z.tuple([z.int(), z.int()]).nullable(),
    hasSystemFrames: z.boolean(),
    snapshot: z.literal(true).optional().describe('The thread continued while the stack was taken.'),
  })
  .meta({ id: 'Stacktrace' });

const ExceptionValue = z
  .object({
    type: text,
    value: text,
    module: text,
    mechanism: json.nullable(),
    threadId: ThreadId,
    stacktrace: Stacktrace.nullable(),
    rawStacktrace: Stacktrace.nullable(),
  })
  .meta({ id: 'ExceptionValue' });

const Thread = z
  .object({
    id: ThreadId,
    name: text,
    crashed: z.boolean(),
    current: z.boolean(),
    main: z.boolean(),
    daemon: z.boolean(),
    priority: z.int().nullable(),
    state: text,
    heldLocks: z.record(z.string(), Lock).nullable(),
    stacktrace: Stacktrace.nullable(),
  })
  .meta({ id: 'Thread' });

const Breadcrumb = z
  .object({
    type: z.string(),
    category: text,
    level: z.string(),
    message: text,
    data: json.nullable(),
    timestamp: dateTime().nullable(),
    eventId: text,
  })
  .meta({ id: 'Breadcrumb' });

const pairs = z.array(z.tuple([z.string(), text]));

const RequestData = z
  .object({
    method: text,
    url: text,
    query: pairs,
    fragment: text,
    headers: pairs,
    cookies: pairs,
    data: z.unknown(),
    env: json.nullable(),
    inferredContentType: text,
  })
  .meta({ id: 'RequestData' });

export const Entry = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('exception'),
      data: z.object({
        values: z.array(ExceptionValue).describe('Cause first, outermost last.'),
        excOmitted: z.null(),
        hasSystemFrames: z.boolean(),
      }),
    }),
    z.object({ type: z.literal('stacktrace'), data: Stacktrace }),
    z.object({
      type: z.literal('threads'),
      data: z.object({ values: z.array(Thread).describe('Crashed first, then reporting, then main.') }),
    }),
    z.object({ type: z.literal('breadcrumbs'), data: z.object({ values: z.array(Breadcrumb) }) }),
    z.object({ type: z.literal('request'), data: RequestData }),
    z.object({
      type: z.literal('message'),
      data: z.object({ formatted: z.string(), message: text, params: z.unknown() }),
    }),
    z.object({ type: z.literal(['csp', 'hpkp', 'expectct', 'expectstaple']), data: json }),
  ])
  .meta({ id: 'EventEntry' });

const EventTag = z.object({ key: z.string(), value: z.string() }).meta({ id: 'EventTag' });

const EventUser = z
  .object({
    id: text,
    email: text,
    username: text,
    ip_address: text,
    name: text,
    geo: json.nullable(),
    data: json.nullable(),
  })
  .meta({ id: 'EventUser' });

const summaryFields = {
  id: z.string(),
  eventID: z.string().describe('32 hex digits.'),
  groupID: z.string().nullable().describe('ID of the issue.'),
  projectID: z.string(),
  'event.type': z.string(),
  title: z.string(),
  message: z.string(),
  culprit: z.string().nullable(),
  location: z.string().nullable(),
  platform: z.string().nullable(),
  level: z.string(),
  environment: z.string().nullable(),
  traceId: z.string().nullable(),
  digest: z.string().nullable().describe('Digest of the Next.js error page that showed this error.'),
  user: EventUser.nullable(),
  tags: z.array(EventTag),
  dateCreated: dateTime(),
};

export const EventSummary = z.object({ ...summaryFields, release: z.string().nullable() }).meta({ id: 'EventSummary' });

const Occurrence = z
  .object({
    type: z.string().describe('Type of the issue: performance_n_plus_one_db_queries, …'),
    title: z.string(),
    subtitle: z.string().describe('The slow or repeated operation, without values.'),
    level: z.string(),
    evidenceDisplay: z.array(z.object({ name: z.string(), value: z.string(), important: z.boolean() })),
    evidenceData: z
      .looseObject({
        transaction: z.string(),
        op: z.string(),
        traceId: z.string(),
        parentSpanIds: z.array(z.string()),
        causeSpanIds: z.array(z.string()).describe('Spans that lead to it.'),
        offenderSpanIds: z.array(z.string()).describe('Offending spans.'),
      })
      .describe("The detector's measurements are added."),
    detectionTime: dateTime(),
  })
  .meta({ id: 'Occurrence' });

const eventFields = {
  ...summaryFields,
  type: z.string(),
  metadata: z.record(z.string(), z.string()),
  entries: z.array(Entry),
  contexts: z.record(z.string(), json),
  context: json.describe('`extra` of the SDK.'),
  sdk: z.object({ name: z.string(), version: z.string() }).nullable(),
  release: z.object({ version: z.string(), shortVersion: z.string() }).nullable(),
  dist: z.string().nullable(),
  logger: z.string().nullable().describe('Logger that sent the event.'),
  spanId: z.string().nullable(),
  packages: z.record(z.string(), z.string()).describe('`modules` of the SDK.'),
  fingerprints: z.array(z.string()).describe('Group hashes of the event, best first.'),
  groupingConfig: z.object({ id: z.string() }),
  occurrence: Occurrence.nullable().describe('Performance problems only; null for errors.'),
  symbolication: z
    .object({ mapped: z.int(), unresolved: z.int() })
    .describe('Mapped frames of built scripts, and unresolved ones: see their `data`.'),
  errors: z.array(json).describe('Problems during processing.'),
  dateReceived: dateTime(),
  size: z.int().describe('Size of the normalised event in bytes.'),
  crashFile: z.null(),
  userReport: z.null(),
  _meta: json,
  nextEventID: z.string().nullable().describe('Next newer event of the issue.'),
  previousEventID: z.string().nullable().describe('Next older event of the issue.'),
  position: z.int().nullable().describe("Position among the issue's events within the filter; the oldest is 1."),
  total: z.int().nullable(),
};

export const Event = z.object(eventFields).meta({ id: 'Event' });

const eventsQuery = z.object({
  query: z.string().max(4096).optional().describe('Search over events, such as `release:4f2c1 browser.name:Chrome`.'),
  environment: scopeQuery.environment,
  ...rangeQuery,
  ...pageQuery,
  sort: z.enum(['-timestamp', 'timestamp']).default('-timestamp').describe('Newest or oldest first.'),
});

const eventsRoute = {
  method: 'GET',
  tag: 'Events',
  access: 'event:read',
  description: 'Default: all stored events.',
  query: eventsQuery,
  response: z.array(EventSummary),
} as const;

export const listIssueEvents = endpoint({
  ...eventsRoute,
  url: '/issues/:issue/events/',
  id: 'listIssueEvents',
  summary: 'List events of an issue',
  params: issueParams,
});
export const listOrganizationIssueEvents = endpoint({
  ...eventsRoute,
  url: '/organizations/:org/issues/:issue/events/',
  id: 'listOrganizationIssueEvents',
  summary: 'List events of an issue',
  params: orgIssueParams,
});

const which = z.string().max(64).describe('latest, oldest, recommended (recent and rich in context), or an event ID.');

const issueEventRoute = {
  method: 'GET',
  tag: 'Events',
  summary: 'Get an event of an issue with its neighbours',
  alsoFeedback: true,
  access: 'event:read',
  query: z.object({ query: z.string().max(4096).optional(), environment: scopeQuery.environment, ...rangeQuery }),
  response: Event,
} as const;

export const getIssueEvent = endpoint({
  ...issueEventRoute,
  url: '/issues/:issue/events/:event/',
  id: 'getIssueEvent',
  params: issueParams.extend({ event: which }),
});
export const getOrganizationIssueEvent = endpoint({
  ...issueEventRoute,
  url: '/organizations/:org/issues/:issue/events/:event/',
  id: 'getOrganizationIssueEvent',
  params: orgIssueParams.extend({ event: which }),
});

export const listProjectEvents = endpoint({
  ...eventsRoute,
  url: '/projects/:org/:project/events/',
  id: 'listProjectEvents',
  summary: 'List error events of a project',
  params: projectParams,
});

const eventParams = projectParams.extend({ event: z.string().max(64).describe('Event ID, with or without hyphens.') });

export const getProjectEvent = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/events/:event/',
  id: 'getProjectEvent',
  tag: 'Events',
  summary: 'Get an event',
  access: 'event:read',
  params: eventParams,
  response: Event,
});

export const getProjectEventJson = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/events/:event/json/',
  id: 'getProjectEventJson',
  tag: 'Events',
  summary: 'Get the normalised stored event in the wire format',
  access: 'event:read',
  params: eventParams,
  response: json,
});

const EventIdLookup = z
  .object({
    organizationSlug: z.string(),
    projectSlug: z.string(),
    groupId: z.string().nullable(),
    shortId: z.string().nullable(),
    eventId: z.string(),
  })
  .meta({ id: 'EventIdLookup' });

export const getEventId = endpoint({
  method: 'GET',
  url: '/organizations/:org/eventids/:event/',
  id: 'getEventId',
  tag: 'Events',
  summary: 'Find the project and issue of an event ID',
  access: 'event:read',
  params: orgParams.extend({ event: z.string().max(64) }),
  response: EventIdLookup,
});
