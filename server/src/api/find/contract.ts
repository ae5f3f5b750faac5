/** Find: from any pasted text to what it names, the cause first; and watches for digests that have not arrived. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { Frame } from '../events/contract.ts';
import { ProjectSummary } from '../projects/contract.ts';
import { dateTime, orgParams, rangeQuery, scopeQuery } from '../shared/schemas.ts';

const UnderstoodKind = z.enum([
  'digest',
  'event',
  'trace',
  'span',
  'issue',
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
        'In its plain form: digits without `@E7`, ids without dashes and in lower case; `browser` or `server` for the side that a pasted screen blames.',
      ),
    start: z.int().describe('Offset in the text asked for, in UTF-16 units. Leave the part out to remove the chip.'),
    end: z.int(),
  })
  .describe('One thing that was understood, for a chip that can be removed.')
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
    host: z.string().nullable().describe('Of the URL, without the port.'),
  })
  .meta({ id: 'FoundEvent' });

const Visits = z
  .object({
    count: z.int(),
    unit: z.enum(['traces', 'events']).describe('What was counted: distinct traces, or events where one has no trace.'),
  })
  .meta({ id: 'Visits' });

const tally = {
  events: z.int().describe('How many match.'),
  visits: Visits,
  firstSeen: dateTime('Of the matching events: since when.'),
  lastSeen: dateTime(),
  releases: z.array(z.string()).describe('Of the matching events, the newest first, at most 10.'),
};

const TraceSpanFacts = z
  .object({
    id: z.string().describe('Span id.'),
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
    failed: z.int().describe('Spans whose status says so.'),
    services: z.int(),
    root: TraceSpanFacts,
    span: TraceSpanFacts.nullable().describe('In which the event happened, or which was asked for.'),
    permalink: z.string(),
  })
  .meta({ id: 'FoundTraceFacts' });

const Cause = z
  .object({
    issue: FoundIssue,
    event: FoundEvent.describe('The newest that matches.'),
    permalink: z.string().describe('Of that event on its issue page.'),
    exception: z.object({ type: z.string().nullable(), value: z.string().nullable() }).nullable(),
    frame: Frame.nullable().describe("The newest frame of the project's own code, else the newest; with its source."),
    differs: z.boolean().describe('True where several issues match and this frame is not that of the first.'),
    trace: TraceFacts.nullable().describe('That of the event; null where no span of it is stored.'),
    ...tally,
  })
  .meta({ id: 'FindCause' });

const Shown = z
  .object({
    count: z
      .int()
      .describe('Browser events that have the digest or belong to one of the newest 10 traces of the cause.'),
    newest: z.array(FoundEvent).describe('At most 10, the newest first.'),
  })
  .describe('The browser events that showed the screen.')
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
    project: ProjectSummary.nullable().describe('Null: any project of the organisation.'),
    dateCreated: dateTime(),
    dateExpires: dateTime(),
    status: z.enum(['waiting', 'found']),
    seen: z.boolean().describe('Whether the user has been told that it was found.'),
    found: z
      .object({
        dateFound: dateTime(),
        eventId: z.string(),
        issueId: z.string(),
        shortId: z.string(),
        title: z.string(),
        permalink: z.string().describe('Of the event on its issue page.'),
      })
      .nullable(),
  })
  .meta({ id: 'DigestWatch' });

const Evidence = z
  .object({
    host: z.string().nullable(),
    hostKnown: z.boolean().describe('Whether one of the newest events came from this host.'),
    projects: z.array(ProjectSummary).describe('Where it could have come from, those that know the host first.'),
    since: dateTime('Start of the hour that the next two are about.'),
    serverErrors: z
      .array(z.object({ issue: FoundIssue, event: FoundEvent }))
      .describe(
        'Server errors of the last hour, on the host where one is known; the newest first, one per issue, at most 10.',
      ),
    dropped: z
      .array(z.object({ projectSlug: z.string(), outcome: z.string(), reason: z.string(), quantity: z.int() }))
      .describe('Items that were not stored in the last hour, by outcome and reason; the most first.'),
    lastServerEvent: FoundEvent.nullable().describe('Of these projects, on the host where one is known.'),
    lastEvent: FoundEvent.nullable(),
    digestTagging: z
      .object({ seen: z.boolean(), last: FoundEvent.nullable() })
      .describe('Whether any event of the last 30 days has a digest; the newest of those looked at that has one.'),
    framework: z
      .object({
        name: z.enum(['nextjs', 'react-router', 'remix', 'tanstack-start', 'express', 'node', 'react', 'other']),
        sdk: z.string().describe("Name of the SDK, '' when nothing is known."),
        sdkVersion: z.string(),
        bundler: z.enum(['turbopack', 'webpack']).nullable().describe('Of Next.js: webpack needs one option more.'),
      })
      .describe('What the project uses, from its newest events, else from its platform: which snippet to show.'),
    waiting: z
      .object({ requests: z.int(), lagMs: z.int() })
      .describe('Received and not yet processed: what was sent just now may still come.'),
    watch: Watch.nullable().describe('The own watch for this digest.'),
  })
  .describe('What is known when nothing, or not the cause, was found.')
  .meta({ id: 'FindEvidence' });

const matchedBy = z.enum(['digest', 'event', 'trace', 'span']).describe('By which of what was understood.');
const asked = {
  query: z.string().describe('The text as it was read.'),
  understood: z.array(Understood).describe('In the order in which it was tried.'),
};

export const FindAnswer = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('cause'),
        ...asked,
        matchedBy,
        value: z.string().describe('The digest or id.'),
        host: z.string().nullable().describe('As asked for, else that of the newest event that has one.'),
        causes: z.array(Cause).describe('One per issue, the newest first, at most 5.'),
        more: z.int().describe('Issues that match beyond those.'),
        shown: Shown,
        traces: z.array(FoundTrace).describe('Which tie server and browser, the newest first, at most 10.'),
        ...tally,
      })
      .describe('Server events, or browser events that are their own cause.'),
    z
      .object({
        kind: z.literal('browser_only'),
        ...asked,
        matchedBy,
        value: z.string(),
        host: z.string().nullable(),
        shown: Shown,
        issue: FoundIssue.nullable().describe('That of the newest browser event.'),
        traces: z.array(FoundTrace),
        ...tally,
        evidence: Evidence,
      })
      .describe('Browser events that say the server failed; the server did not report it.'),
    z.object({ kind: z.literal('issue'), ...asked, issue: FoundIssue }).describe('An issue by short id or number.'),
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
        host: z.string().nullable().describe('Null: the pasted screen names none.'),
        path: z.string().nullable(),
        issues: z
          .array(z.object({ issue: FoundIssue, event: FoundEvent }))
          .describe('Seen there in the last day, on the side that the screen blames; the newest first, at most 5.'),
        evidence: Evidence,
      })
      .describe('A URL of an application, or an error screen without a digest: what failed there lately.'),
    z
      .object({ kind: z.literal('search'), ...asked, search: z.string().describe('For the list of issues.') })
      .describe('Words or a release: to be looked up in the list of issues.'),
    z
      .object({
        kind: z.literal('nothing'),
        ...asked,
        digest: z.string().nullable().describe('Can be watched.'),
        evidence: Evidence,
      })
      .describe('Understood, and nothing stored matches.'),
    z.object({ kind: z.literal('empty'), ...asked }).describe('Nothing was asked.'),
  ])
  .meta({ id: 'FindAnswer' });

/** Longest text that is read, UTF-16 units; a paste is cut there. */
export const maxFindLength = 65_536;

export const find = endpoint({
  method: 'GET',
  url: '/organizations/:org/find/',
  id: 'find',
  tag: 'Find',
  summary: 'What a pasted text, digest, id or URL names, the cause first',
  description:
    'Takes the whole message of an error page in either wording, `Digest: n`, `ERROR n`, `n@E7`, a bare number, event, trace, span and issue ids and URLs. Time range: all that is stored, unless one is given. A text that is too long for an address goes into the body of a POST.',
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
  summary: 'The same for texts that are too long for an address',
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
  summary: 'Own watches for digests, the newest first',
  access: 'event:read',
  params: orgParams,
  response: z.array(Watch),
});

export const createWatch = endpoint({
  method: 'POST',
  url: '/organizations/:org/digest-watches/',
  id: 'createDigestWatch',
  tag: 'Find',
  summary: 'Tell me when a server event with this digest arrives',
  description:
    'Expires after 30 days. Watching the same digest again renews the watch. Where such an event is stored already, the answer is found at once.',
  access: 'event:read',
  params: orgParams,
  body: z
    .object({
      digest: z.string().max(40).describe('Digits, with or without `@E7`.'),
      host: z.string().max(255).nullish().describe('Where the screen was seen; shown, not matched.'),
      project: z.string().max(200).nullish().describe('Slug or id; any project when left out.'),
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
  summary: 'Note that the user has been told',
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
