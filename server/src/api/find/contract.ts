/** Find: from any pasted text to what it names, the cause first; and watches for digests that have not arrived. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { Frame } from '../events/contract.ts';
import { ProjectSummary } from '../projects/contract.ts';
import { CountInterval, dateTime, orgParams, rangeQuery, scopeQuery } from '../shared/schemas.ts';

const UnderstoodKind = z.enum([
  'digest',
  'event',
  'trace',
  'span',
  'issue',
  'stack',
  'host',
  'path',
  'side',
  'release',
  'words',
]);

const Understood = z
  .object({
    kind: UnderstoodKind,
    value: z
      .string()
      .describe(
        'Normalised: digits without `@E7`, lower-case IDs without dashes; `browser` or `server` for the failed side on a pasted screen.',
      ),
    start: z.int().describe('Offset in the query, in UTF-16 units. Omit the part to remove the chip.'),
    end: z.int(),
  })
  .describe('A recognised part of the query, shown as a removable chip.')
  .meta({ id: 'Understood' });

const FoundIssue = z
  .object({
    id: z.string(),
    shortId: z.string(),
    title: z.string(),
    culprit: z.string(),
    level: z.string(),
    status: z.enum(['unresolved', 'resolved', 'ignored']),
    permalink: z.string(),
    project: ProjectSummary,
    firstSeen: dateTime(),
    lastSeen: dateTime(),
    firstRelease: z.string().nullable(),
    lastRelease: z.string().nullable(),
  })
  .meta({ id: 'FoundIssue' });

const FoundEvent = z
  .object({
    id: z.string(),
    side: z.enum(['server', 'browser']),
    title: z.string(),
    project: ProjectSummary,
    issueId: z.string().nullable(),
    dateCreated: dateTime(),
    digest: z.string().nullable(),
    traceId: z.string().nullable(),
    spanId: z.string().nullable(),
    environment: z.string().nullable(),
    release: z.string().nullable(),
    transaction: z.string().nullable(),
    url: z.string().nullable(),
    host: z.string().nullable().describe('Host of the URL, without the port.'),
  })
  .meta({ id: 'FoundEvent' });

const Visits = z
  .object({
    count: z.int(),
    unit: z.enum(['traces', 'events']).describe('What is counted: distinct traces, or events if one has no trace.'),
  })
  .meta({ id: 'Visits' });

const tally = {
  events: z.int().describe('Number of matches.'),
  estimated: CountInterval.describe(
    '95 % interval of `events` if it may be off by more than 1 %, else null. Also of `visits` in events.',
  ),
  visits: Visits,
  firstSeen: dateTime('First matching event.'),
  lastSeen: dateTime(),
  releases: z.array(z.string()).describe('Releases of the matching events, newest first, at most 10.'),
};

const TraceSpanFacts = z
  .object({
    id: z.string().describe('Span ID.'),
    project: ProjectSummary,
    name: z.string(),
    op: z.string(),
    service: z.string(),
    durationUs: z.int(),
    failed: z.boolean(),
  })
  .meta({ id: 'FoundSpan' });

const TraceFacts = z
  .object({
    id: z.string(),
    start: dateTime(),
    durationUs: z.int(),
    spans: z.int(),
    failed: z.int().describe('Spans with a failed status.'),
    services: z.int(),
    root: TraceSpanFacts,
    span: TraceSpanFacts.nullable().describe('Span of the event, or the requested span.'),
    permalink: z.string(),
  })
  .meta({ id: 'FoundTraceFacts' });

const Cause = z
  .object({
    issue: FoundIssue,
    event: FoundEvent.describe('Newest match.'),
    permalink: z.string().describe('Address of that event on its issue page.'),
    exception: z.object({ type: z.string().nullable(), value: z.string().nullable() }).nullable(),
    frame: Frame.nullable().describe("Newest frame of the project's own code, else the newest frame, with its source."),
    differs: z.boolean().describe('True if several issues match and this frame differs from the first.'),
    trace: TraceFacts.nullable().describe('Trace of that event; null if no span of it is stored.'),
    ...tally,
  })
  .meta({ id: 'FindCause' });

const Shown = z
  .object({
    count: z.int().describe('Browser events with the digest, or in one of the 10 newest traces of the cause.'),
    newest: z.array(FoundEvent).describe('At most 10, newest first.'),
  })
  .describe('Browser events that showed the screen.')
  .meta({ id: 'FindShown' });

const FoundTrace = z
  .object({
    id: z.string(),
    serverEvents: z.int(),
    browserEvents: z.int(),
    lastSeen: dateTime(),
  })
  .meta({ id: 'FoundTrace' });

export const Watch = z
  .object({
    id: z.string(),
    digest: z.string(),
    host: z.string().nullable(),
    project: ProjectSummary.nullable().describe('null: any project of the organisation.'),
    dateCreated: dateTime(),
    dateExpires: dateTime(),
    status: z.enum(['waiting', 'found']),
    seen: z.boolean().describe('Whether the user has seen the result.'),
    found: z
      .object({
        dateFound: dateTime(),
        eventId: z.string(),
        issueId: z.string(),
        shortId: z.string(),
        title: z.string(),
        permalink: z.string().describe('Address of the event on its issue page.'),
      })
      .nullable(),
  })
  .meta({ id: 'DigestWatch' });

const Evidence = z
  .object({
    host: z.string().nullable(),
    hostKnown: z.boolean().describe('Whether one of the newest events came from this host.'),
    projects: z.array(ProjectSummary).describe('Likely projects, those with this host first.'),
    since: dateTime('Start of the hour for the next two fields.'),
    serverErrors: z
      .array(z.object({ issue: FoundIssue, event: FoundEvent }))
      .describe('Server errors of the last hour, on the host if known; newest first, one per issue, at most 10.'),
    dropped: z
      .array(z.object({ projectSlug: z.string(), outcome: z.string(), reason: z.string(), quantity: z.int() }))
      .describe('Items not stored in the last hour, by outcome and reason; most frequent first.'),
    lastServerEvent: FoundEvent.nullable().describe('Last server event of these projects, on the host if known.'),
    lastEvent: FoundEvent.nullable(),
    digestTagging: z
      .object({ seen: z.boolean(), last: FoundEvent.nullable() })
      .describe('Whether any event of the last 30 days has a digest, with the newest such event among those read.'),
    framework: z
      .object({
        name: z.enum(['nextjs', 'react-router', 'remix', 'tanstack-start', 'express', 'node', 'react', 'other']),
        sdk: z.string().describe("Name of the SDK; '' if unknown."),
        sdkVersion: z.string(),
        bundler: z.enum(['turbopack', 'webpack']).nullable().describe('Next.js only: webpack needs another option.'),
      })
      .describe('Framework of the project, from its newest events, else from its platform: selects the snippet.'),
    waiting: z
      .object({ requests: z.int(), lagMs: z.int() })
      .describe('Received but not processed: recent events may still arrive.'),
    watch: Watch.nullable().describe('Your watch for this digest.'),
  })
  .describe('Known facts if the cause was not found.')
  .meta({ id: 'FindEvidence' });

const matchedBy = z.enum(['digest', 'event', 'trace', 'span', 'stack']).describe('The recognised part that matched.');
const asked = {
  query: z.string().describe('The normalised query.'),
  understood: z.array(Understood).describe('In the order of the search.'),
};

export const FindAnswer = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('cause'),
        ...asked,
        matchedBy,
        value: z.string().describe('The digest or ID.'),
        host: z.string().nullable().describe('From the query, else from the newest event with one.'),
        causes: z.array(Cause).describe('One per issue, newest first, at most 5.'),
        more: z.int().describe('Number of further matching issues.'),
        shown: Shown,
        traces: z.array(FoundTrace).describe('Traces that connect server and browser, newest first, at most 10.'),
        ...tally,
      })
      .describe('Server events, or browser events without a server event.'),
    z
      .object({
        kind: z.literal('browser_only'),
        ...asked,
        matchedBy,
        value: z.string(),
        host: z.string().nullable(),
        shown: Shown,
        issue: FoundIssue.nullable().describe('Issue of the newest browser event.'),
        traces: z.array(FoundTrace),
        ...tally,
        evidence: Evidence,
      })
      .describe('Browser events that report a server failure which the server did not report.'),
    z.object({ kind: z.literal('issue'), ...asked, issue: FoundIssue }).describe('An issue by short ID or number.'),
    z
      .object({
        kind: z.literal('trace'),
        ...asked,
        matchedBy: z.enum(['trace', 'span']),
        value: z.string(),
        trace: TraceFacts,
      })
      .describe('A trace without errors.'),
    z
      .object({
        kind: z.literal('page'),
        ...asked,
        host: z.string().nullable().describe('null: the pasted screen has none.'),
        path: z.string().nullable(),
        issues: z
          .array(z.object({ issue: FoundIssue, event: FoundEvent }))
          .describe('Issues seen there in the last day, on the failed side; newest first, at most 5.'),
        evidence: Evidence,
      })
      .describe('A URL of an application, or an error screen without a digest: recent failures there.'),
    z
      .object({ kind: z.literal('search'), ...asked, search: z.string().describe('Query for the issue list.') })
      .describe('Words or a release: search the issue list.'),
    z
      .object({
        kind: z.literal('nothing'),
        ...asked,
        digest: z.string().nullable().describe('Whether it can be watched.'),
        evidence: Evidence,
      })
      .describe('Recognised, but no stored data matches.'),
    z.object({ kind: z.literal('empty'), ...asked }).describe('The query is empty.'),
  ])
  .meta({ id: 'FindAnswer' });

/** Longest text that is read, UTF-16 units; a paste is cut there. */
export const maxFindLength = 65_536;

export const find = endpoint({
  method: 'GET',
  url: '/organizations/:org/find/',
  id: 'find',
  tag: 'Find',
  summary: 'Find the cause of a pasted text, digest, ID or URL',
  description:
    'Accepts any error page text, `Digest: n`, `ERROR n`, `n@E7`, a bare number, IDs of events, traces, spans and issues, and URLs. Default range: all stored data. Send long texts as a POST body.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    q: z.string().max(maxFindLength).default(''),
    project: scopeQuery.project,
    ...rangeQuery,
  }),
  response: FindAnswer,
});

export const findPasted = endpoint({
  method: 'POST',
  url: '/organizations/:org/find/',
  id: 'findPasted',
  tag: 'Find',
  summary: 'Find the cause of a long text',
  access: 'event:read',
  params: orgParams,
  query: z.object({ project: scopeQuery.project, ...rangeQuery }),
  body: z.object({ q: z.string().max(maxFindLength) }).meta({ id: 'FindRequest' }),
  response: FindAnswer,
});

export const listWatches = endpoint({
  method: 'GET',
  url: '/organizations/:org/digest-watches/',
  id: 'listDigestWatches',
  tag: 'Find',
  summary: 'List your watched digests, newest first',
  access: 'event:read',
  params: orgParams,
  response: z.array(Watch),
});

export const createWatch = endpoint({
  method: 'POST',
  url: '/organizations/:org/digest-watches/',
  id: 'createDigestWatch',
  tag: 'Find',
  summary: 'Watch for a server event with this digest',
  description:
    'Expires after 30 days. Watching again renews it. If a matching event is already stored, the response has the result.',
  access: 'event:read',
  params: orgParams,
  body: z
    .object({
      digest: z.string().max(40).describe('Digits, with or without `@E7`.'),
      host: z.string().max(255).nullish().describe('Host of the screen; shown, not matched.'),
      project: z.string().max(200).nullish().describe('Slug or ID; default: any project.'),
    })
    .meta({ id: 'DigestWatchRequest' }),
  status: 201,
  response: Watch,
});

const watchParams = orgParams.extend({ id: z.string().max(20) });

export const updateWatch = endpoint({
  method: 'PUT',
  url: '/organizations/:org/digest-watches/:id/',
  id: 'updateDigestWatch',
  tag: 'Find',
  summary: 'Mark a result as seen',
  access: 'event:read',
  params: watchParams,
  body: z.object({ seen: z.boolean() }).meta({ id: 'DigestWatchUpdate' }),
  response: Watch,
});

export const deleteWatch = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/digest-watches/:id/',
  id: 'deleteDigestWatch',
  tag: 'Find',
  summary: 'Stop watching',
  access: 'event:read',
  params: watchParams,
  status: 204,
});
