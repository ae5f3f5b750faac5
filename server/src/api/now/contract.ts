/** The page Now: is something wrong, and what changed. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { ProjectSummary } from '../projects/contract.ts';
import { intakeWeight } from '../intake/contract.ts';
import { dateTime, orgParams, scopeQuery } from '../shared/schemas.ts';

const Link = z
  .object({
    kind: z.enum(['issues', 'transaction', 'release', 'releases', 'health', 'alerts']),
    query: z.string().optional().describe('With issues: the search.'),
    transaction: z.string().optional(),
    project: z.string().optional().describe('With transaction: slug of its project.'),
    version: z.string().optional().describe('With release.'),
  })
  .meta({ id: 'NowLink' });

const Day = (what: string) =>
  z
    .object({ now: z.array(z.number().nullable()), before: z.array(z.number().nullable()) })
    .describe(`${what}, a number a bucket; \`before\` is the same hours of the day before.`);

const total = (what: string) =>
  z.object({ now: z.number().nullable(), before: z.number().nullable() }).describe(`${what} of each day.`);

const NowIssue = z
  .object({
    id: z.string(),
    shortId: z.string(),
    title: z.string(),
    culprit: z.string(),
    type: z.string(),
    metadata: z.record(z.string(), z.string()),
    level: z.string(),
    substatus: z.enum(['new', 'regressed', 'escalating']),
    sinceChange: z.boolean().describe('First seen after the last change.'),
    project: ProjectSummary,
    count: z.int(),
    userCount: z.int(),
    firstSeen: dateTime(),
    lastSeen: dateTime(),
    series: z.array(z.tuple([z.number(), z.number()])).describe('Seconds since the epoch and events.'),
  })
  .meta({ id: 'NowIssue' });

const NowAnswer = z
  .object({
    asOf: dateTime(),
    level: z
      .enum(['trouble', 'attention', 'calm', 'empty'])
      .describe('trouble: act now; attention: look when you can; calm: nothing; empty: nothing was ever received.'),
    sentence: z.string().describe('Whether something is wrong, in one sentence.'),
    parts: z
      .array(
        z.object({
          text: z.string(),
          link: Link.optional(),
          at: dateTime('The text is how long ago this was.').optional(),
        }),
      )
      .describe('The same sentence in stretches, with what they lead to.'),
    change: z
      .object({
        kind: z.enum(['deploy', 'release']),
        version: z.string(),
        shortVersion: z.string(),
        name: z.string().describe('The short version, with the package if another recent change has the same one.'),
        environment: z.string().nullable(),
        at: dateTime(),
      })
      .nullable()
      .describe('The last deploy; where nobody reports those, the release that was seen first last. Of 14 days.'),
    counts: z.object({
      fresh: z.int().describe('First seen within a day.'),
      regressed: z.int(),
      escalating: z.int(),
      sinceChange: z.int(),
      more: z.boolean().describe('There are so many that not all were counted.'),
    }),
    issuesPeriod: z
      .string()
      .describe('Which issues and counts are of, such as 24h: the last day, or longer where the last change is older.'),
    issues: z.array(NowIssue).describe('New, regressed and escalating ones with events in that period, newest first.'),
    start: dateTime('Of the series.'),
    bucketSeconds: z.int(),
    errors: Day('Errors'),
    users: Day('People who had errors'),
    p95Ms: Day('95th percentile of transactions, ms'),
    totals: z.object({ errors: total('Errors'), users: total('People who had errors'), p95Ms: total('p95, ms') }),
    marks: z.array(
      z.object({ at: z.int(), version: z.string(), shortVersion: z.string(), environment: z.string().nullable() }),
    ),
    hotspots: z
      .array(
        z.object({
          project: z.string().describe('Slug.'),
          transaction: z.string(),
          count: z.int().describe('Errors of the last hour.'),
          usual: z.number().describe('Of the mean hour of the week before.'),
        }),
      )
      .describe('Where errors of the last hour came from, the most first.'),
    sessions: z
      .object({
        count: z.int(),
        countBefore: z.int(),
        crashFree: z.number().nullable(),
        crashFreeBefore: z.number().nullable(),
      })
      .describe('Of the last 24 hours and the 24 before; rates from 0 to 1, null without sessions.'),
    intake: z
      .array(
        z.object({
          kind: z.enum(['refused', 'lag', 'silent']),
          weight: intakeWeight,
          sentence: z.string(),
        }),
      )
      .describe('Whether what is sent arrives; empty when all of it does.'),
  })
  .meta({ id: 'Now' });

export const getNow = endpoint({
  method: 'GET',
  url: '/organizations/:org/now/',
  id: 'getNow',
  tag: 'Now',
  summary: 'Whether something is wrong, in one sentence, and what changed',
  description: 'The last 24 hours beside the 24 before.',
  access: 'event:read',
  params: orgParams,
  query: z.object(scopeQuery),
  response: NowAnswer,
});
