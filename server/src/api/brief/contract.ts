/** The brief of an issue: everything that repairing it takes, as one document. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { issueParams, orgIssueParams } from '../issues/contract.ts';
import { CountInterval, dateTime, scopeQuery } from '../shared/schemas.ts';

const list = <T extends z.ZodType>(item: T) => z.array(item).readonly();
const text = z.string().nullable();

const Value = z.object({ name: z.string(), value: z.string() }).meta({ id: 'BriefValue' });
const Line = z
  .tuple([z.int(), z.string()])
  .readonly()
  .describe('A line of source with its number.')
  .meta({ id: 'BriefLine' });
const Note = z
  .object({ text: z.string(), what: text.describe('From the event; follows the text.') })
  .meta({ id: 'BriefNote' });

const BriefIssue = z
  .object({
    shortId: z.string(),
    title: z.string(),
    culprit: z.string(),
    url: z.string(),
    project: z.string().describe('Slug of the project.'),
    status: z.string().describe('unresolved, resolved or archived.'),
    substatus: text,
    level: z.string(),
    events: z.int(),
    estimated: CountInterval,
    users: z.int(),
    firstSeen: dateTime(),
    lastSeen: dateTime(),
  })
  .meta({ id: 'BriefIssue' });

const BriefEvent = z
  .object({
    id: z.string(),
    at: dateTime(),
    title: z.string(),
    message: text,
    platform: text,
    release: text,
    environment: text,
    digest: text,
    traceId: text,
    sdk: text,
    tags: list(Value).describe('Without those that name a person.'),
    evidence: list(Value).describe('Of a performance problem.'),
  })
  .meta({ id: 'BriefEvent' });

const Failure = z
  .object({
    type: z.string(),
    message: z.string(),
    file: text,
    line: z.int().nullable(),
    column: z.int().nullable(),
    function: text,
    own: z.boolean().describe('Whether it is code of the project; otherwise it is the newest call.'),
    url: text.describe('The line in the repository, if a code mapping matches.'),
    source: list(Line),
    variables: list(Value),
  })
  .meta({ id: 'BriefFailure' });

const Call = z
  .object({
    text: z.string().describe('As its language prints it.'),
    own: z.boolean().describe('Code of the project.'),
    hidden: z.int().describe('Calls left out before it.'),
    file: text,
    line: z.int().nullable(),
    source: list(Line),
    variables: list(Value),
  })
  .meta({ id: 'BriefCall' });

const BriefError = z
  .object({
    relation: z.enum(['cause', 'context', 'suppressed', 'member']).nullable().describe('null: the reported error.'),
    type: z.string(),
    message: z.string(),
    handled: z.boolean().nullable(),
    calls: list(Call).describe('In the order of the language.'),
    hidden: z.int().describe('Calls left out after the last one.'),
  })
  .meta({ id: 'BriefError' });

const Trace = z
  .object({
    traceId: z.string(),
    spans: z.int(),
    durationUs: z.int(),
    services: list(z.string()),
    rows: list(
      z.object({
        depth: z.int(),
        hidden: z.int(),
        offsetUs: z.int(),
        durationUs: z.int(),
        op: z.string(),
        name: z.string(),
        service: z.string(),
        status: z.string(),
        failed: z.literal(true).optional(),
        asked: z.literal(true).optional().describe('The span of the event.'),
      }),
    ),
    issues: list(z.object({ shortId: text, title: z.string(), offsetUs: z.int() })),
    logs: list(z.object({ offsetUs: z.int(), level: z.string(), message: z.string() })),
  })
  .meta({ id: 'BriefTrace' });

const BriefCommit = z
  .object({
    sha: z.string(),
    message: z.string().describe('Its first line.'),
    author: z.string(),
    at: dateTime(),
    repository: z.string(),
    url: text,
    files: list(z.string()),
  })
  .meta({ id: 'BriefCommit' });

const Releases = z
  .object({
    first: text.describe('Release where the issue was first seen.'),
    last: text.describe('Release where it was last seen.'),
    since: text.describe('The release with commits before the first.'),
    commits: list(BriefCommit).describe('Of the first release since the one before it, newest first.'),
    moreCommits: z.boolean(),
    suspects: list(BriefCommit).describe('Those of them that changed the failing file.'),
    problem: text.describe('Why there are no suspects.'),
  })
  .meta({ id: 'BriefReleases' });

const Fix = z
  .object({
    shortId: z.string(),
    title: z.string(),
    score: z.number().describe('Similarity from 0 to 1.'),
    resolvedAt: dateTime().nullable(),
    by: text,
    release: text,
    commit: text,
    message: text.describe('First line of the message of the commit.'),
    comments: list(z.string()).describe('Newest first.'),
  })
  .meta({ id: 'BriefFix' });

export const Brief = z
  .object({
    issue: BriefIssue,
    event: BriefEvent.nullable().describe('null if no event is stored.'),
    language: text.describe('Language whose format the calls have.'),
    failure: Failure.nullable().describe('Where it failed; null without a stack trace.'),
    errors: list(BriefError),
    before: z.object({
      crumbs: list(z.object({ at: dateTime().nullable(), category: z.string(), level: z.string(), text: z.string() })),
      hidden: z.int(),
    }),
    around: Trace.nullable(),
    releases: Releases,
    similar: list(Fix),
    reproduce: z.object({
      curl: text,
      steps: list(Note),
      playwright: text.describe('A test that fails while the error comes; null if the breadcrumbs do not suffice.'),
      missing: list(Note).describe('What the event does not say.'),
    }),
    proof: list(z.string()).describe('What would prove a fix.'),
  })
  .meta({ id: 'Brief' });

const briefRoute = {
  method: 'GET',
  tag: 'Issues',
  summary: 'Get the brief of an issue',
  description:
    'A bounded document about the issue, as JSON or Markdown. Control and invisible characters in texts of events are escaped; in Markdown these texts are code.',
  access: 'event:read',
  query: z.object({
    format: z.enum(['json', 'markdown']).default('json'),
    event: z
      .string()
      .max(64)
      .default('recommended')
      .describe('latest, oldest, recommended (recent and rich in context), or an event ID.'),
    environment: scopeQuery.environment,
  }),
  response: Brief,
  alsoProduces: 'text/markdown',
} as const;

export const getIssueBrief = endpoint({
  ...briefRoute,
  url: '/issues/:issue/brief/',
  id: 'getIssueBrief',
  params: issueParams,
});
export const getOrganizationIssueBrief = endpoint({
  ...briefRoute,
  url: '/organizations/:org/issues/:issue/brief/',
  id: 'getOrganizationIssueBrief',
  params: orgIssueParams,
});
