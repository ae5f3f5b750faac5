/** Commands of the CLI `sentry`, and what each prints: the list of what is compared with what was sent (`client-facts.ts`). */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { owner } from '../server/test/harness.ts';
import type { ClientInstallation, Facts } from './client-facts.ts';
import { type Ended, runBuild, sentryProgram } from './uploads.ts';

/** Runs it in a directory without code, from which it would guess projects. */
export async function sentryCommand(
  { environment, server, url }: ClientInstallation,
  words: readonly string[],
): Promise<Ended> {
  const home = environment['HOME'] ?? '';
  const directory = join(home, 'work');
  await mkdir(directory, { recursive: true });
  return runBuild(process.execPath, [sentryProgram, ...words], directory, {
    ...environment,
    SENTRY_URL: url,
    SENTRY_AUTH_TOKEN: server.installed.token,
    SENTRY_CONFIG_DIR: join(home, 'config'),
    SENTRY_CLI_NO_TELEMETRY: '1',
    SENTRY_CLI_NO_UPDATE_CHECK: '1',
  });
}

/** What it prints as JSON. */
export async function shownBy(installation: ClientInstallation, words: readonly string[]): Promise<unknown> {
  const { code, output } = await sentryCommand(installation, [...words, '--json']);
  expect(code, `${words.join(' ')}\n${output}`).toBe(0);
  const start = output.search(/^(?:[[{]\s*$|\[\])/m);
  try {
    return JSON.parse(output.slice(start)) as unknown;
  } catch (cause) {
    throw new Error(`${words.join(' ')} prints no JSON: ${output}`, { cause });
  }
}

/** A command, and the parts of its JSON that are compared with what was sent; lists are compared as wholes. */
export type Row = readonly [words: (facts: Facts) => string, has: (facts: Facts) => unknown];

const listed = (...data: unknown[]) => ({ data });
const none = (one: object): unknown => expect.not.arrayContaining([expect.objectContaining(one)]) as unknown;
const some = (one: object): unknown => expect.arrayContaining([expect.objectContaining(one)]) as unknown;

const checkout = ({ issue, issueId }: Facts) => ({
  id: issueId,
  shortId: issue,
  title: "TypeError: Cannot read properties of null (reading 'amount')",
  culprit: 'POST /checkout',
  level: 'error',
  platform: 'node',
  status: 'unresolved',
  count: '6',
  userCount: 6,
  isUnhandled: true,
  project: { slug: 'web', name: 'Web' },
  metadata: { type: 'TypeError', filename: '/app/src/pricing/price-of.ts', function: 'priceOf' },
});

const release = ({ release: version, commit }: Facts) => ({
  version,
  shortVersion: '1.2.0',
  dateReleased: '2026-01-02T03:04:05.000Z',
  commitCount: 1,
  deployCount: 1,
  lastCommit: { id: commit, message: 'Prices come from the new service', author: { email: 'kim.lee@example.com' } },
  lastDeploy: { environment: 'production', name: 'blue', dateFinished: '2026-01-02T03:10:00.000Z' },
  projects: [{ slug: 'web' }],
});

const issueRule = ({ issueRule: id }: Facts) => ({
  id,
  name: 'New issues in production',
  status: 'active',
  actionMatch: 'any',
  frequency: 45,
  environment: 'production',
  projects: ['web'],
});

const metricRule = ({ metricRule: id }: Facts) => ({
  id,
  name: 'Error rate',
  status: 0,
  dataset: 'errors',
  aggregate: 'count()',
  query: 'level:error',
  timeWindow: 30,
  environment: 'production',
  projects: ['web'],
});

const said = {
  message: 'I pressed Pay three times and always got an error page.',
  name: 'Ada Lovelace',
  contact_email: 'ada@example.com',
};
const paid = { title: 'User Feedback', ...said };

/** As one word of a command line. */
const json = (value: unknown): string => JSON.stringify(value);

/** Made, read, changed, read and deleted; each by the name that it has then. */
const alertChanges: readonly Row[] = [
  [
    ({ channel, userId }) =>
      `alert issues create acme/web --name Prices --frequency 15 --environment production --owner user:${userId} --condition ${json(
        {
          type: 'event_frequency_count',
          comparison: { value: 12, interval: '1hr' },
          conditionResult: true,
        },
      )} --filter ${json({ type: 'level', comparison: { level: 40, match: 'gte' }, conditionResult: true })} --action ${json(
        { type: 'webhook', data: {}, config: { targetIdentifier: channel } },
      )}`,
    () => ({ org: 'acme', project: 'web', name: 'Prices', status: 'active' }),
  ],
  [
    () => 'alert issues view acme/web/Prices',
    ({ channel, userId }) => ({
      name: 'Prices',
      status: 'active',
      frequency: 15,
      environment: 'production',
      owner: { type: 'user', id: userId, name: 'owner' },
      projects: ['web'],
      triggers: {
        logicType: 'any-short',
        conditions: [{ type: 'event_frequency_count', comparison: { value: 12, interval: '1hr' } }],
      },
      actionFilters: [
        {
          conditions: [{ type: 'query', comparison: 'level:[error, fatal]' }],
          actions: [{ type: 'webhook', config: { targetIdentifier: channel, targetDisplay: 'Deploy bot' } }],
        },
      ],
    }),
  ],
  [
    () =>
      `alert issues edit acme/web/Prices --name Costs --status disabled --environment staging --condition ${json({ type: 'regression_event' })}`,
    () => ({ name: 'Costs', status: 'disabled', environment: 'staging' }),
  ],
  [
    () => 'alert issues view acme/web/Costs',
    ({ channel, userId }) => ({
      status: 'disabled',
      frequency: 15,
      environment: 'staging',
      owner: { type: 'user', id: userId, name: 'owner' },
      triggers: { conditions: [{ type: 'regression_event' }] },
      actionFilters: [
        {
          conditions: [{ type: 'query', comparison: 'level:[error, fatal]' }],
          actions: [{ type: 'webhook', config: { targetIdentifier: channel } }],
        },
      ],
    }),
  ],
  [() => 'alert issues delete acme/web/Costs --yes', () => ({ org: 'acme', project: 'web', name: 'Costs' })],
  [() => 'alert issues list acme/web', () => ({ data: none({ name: 'Costs' }) })],
  [
    ({ issueRule: id }) =>
      `alert metrics create acme --project web --name Slow --dataset spans --aggregate p95(span.duration) --query is_transaction:true --time-window 30 --environment production --workflow ${id} --trigger ${json({ alertThreshold: 500, resolveThreshold: 300 })}`,
    () => ({ org: 'acme', name: 'Slow', status: 'active' }),
  ],
  [
    () => 'alert metrics view acme/Slow',
    ({ issueRule: id }) => ({
      name: 'Slow',
      status: 0,
      dataset: 'spans',
      aggregate: 'p95(span.duration)',
      query: 'is_transaction:true',
      timeWindow: 30,
      environment: 'production',
      projects: ['web'],
      workflowIds: [id],
    }),
  ],
  [
    () => 'alert metrics edit acme/Slow --name Slower --status disabled --time-window 60 --query span.op:http.server',
    ({ channel }) => ({
      name: 'Slower',
      status: 'disabled',
      conditionGroup: {
        conditions: [
          { type: 'gt', comparison: 500, conditionResult: 75, actions: [{ config: { targetIdentifier: channel } }] },
          { type: 'lte', comparison: 300, conditionResult: 0 },
        ],
      },
    }),
  ],
  [
    () => 'alert metrics view acme/Slower',
    () => ({
      status: 1,
      aggregate: 'p95(span.duration)',
      query: 'span.op:http.server',
      timeWindow: 60,
      environment: 'production',
      projects: ['web'],
    }),
  ],
  [() => 'alert metrics delete acme/Slower --yes', () => ({ org: 'acme', name: 'Slower' })],
  [() => 'alert metrics list acme/', (one) => listed(metricRule(one))],
];

const log = ({ trace }: Facts) => ({ message: 'price list is empty', severity: 'warn', trace });

export const rows: readonly Row[] = [
  [() => 'auth whoami', () => ({ name: 'owner', email: owner.email })],
  [() => 'org list', () => [{ slug: 'acme', name: 'Acme' }]],
  [() => 'org view acme', () => ({ slug: 'acme', name: 'Acme', require2FA: false })],
  [() => 'project list acme/', () => ({ data: some({ slug: 'web', name: 'Web', platform: 'node' }) })],
  [() => 'project view acme/web', ({ dsn }) => [{ slug: 'web', dsn }]],
  [
    () => 'repo list acme/',
    () => listed({ name: 'acme/shop', url: 'https://github.com/acme/shop', provider: { name: 'GitHub' } }),
  ],
  [() => 'dsn list acme/web', ({ dsn }) => listed({ name: 'Default', isActive: true, dsn })],
  [() => 'issue list acme/web --query TypeError', (one) => listed(checkout(one))],
  [({ issue }) => `issue view ${issue}`, checkout],
  [
    ({ issue }) => `issue events acme/${issue}`,
    ({ eventId }) => ({ data: some({ eventID: eventId, platform: 'node', environment: 'production' }) }),
  ],
  [
    ({ issue }) => `issue tags acme/${issue} plan`,
    () => ({
      key: 'plan',
      totalValues: 6,
      topValues: [
        { value: 'pro', count: 4 },
        { value: 'free', count: 2 },
      ],
    }),
  ],
  [
    ({ eventId }) => `event view acme/web/${eventId}`,
    ({ eventId, issueTrace: trace }) => ({
      eventID: eventId,
      title: "TypeError: Cannot read properties of null (reading 'amount')",
      location: '/app/src/pricing/price-of.ts',
      traceId: trace,
      user: { id: 'u-0', email: 'ada@example.com', ip_address: '203.0.113.7' },
      tags: some({ key: 'plan', value: 'free' }),
    }),
  ],
  [
    ({ issue }) => `event list acme/${issue}`,
    ({ eventId }) => ({ data: some({ eventID: eventId, culprit: 'POST /checkout' }) }),
  ],
  [
    () => 'trace list acme/web',
    ({ trace, span }) =>
      listed({ trace, id: span, transaction: 'POST /checkout', 'span.duration': 300, project: 'web' }),
  ],
  [
    ({ trace }) => `trace view acme/web/${trace}`,
    ({ trace, span, childSpan }) => ({
      traceId: trace,
      projects: ['web'],
      rootTransaction: 'POST /checkout',
      rootOp: 'http.server',
      spans: some({
        span_id: span,
        op: 'http.server',
        duration: 300,
        children: [
          expect.objectContaining({
            span_id: childSpan,
            op: 'db',
            description: 'SELECT * FROM carts WHERE user_id = $1',
            duration: 120,
          }),
        ],
      }),
    }),
  ],
  [({ trace }) => `trace logs acme/web/${trace}`, (one) => listed(log(one))],
  [
    ({ trace }) => `span list acme/web/${trace}`,
    ({ trace, span, childSpan }) =>
      listed(
        {
          span_id: childSpan,
          trace_id: trace,
          parent_span_id: span,
          op: 'db',
          description: 'SELECT * FROM carts WHERE user_id = $1',
          duration_ms: 120,
        },
        { span_id: span, op: 'http.server', description: 'POST /checkout', duration_ms: 300 },
      ),
  ],
  [
    ({ trace, span }) => `span view acme/web/${trace} ${span}`,
    ({ trace, span }) => [
      {
        span_id: span,
        trace_id: trace,
        op: 'http.server',
        description: 'POST /checkout',
        duration: 300,
        data: { 'span.status': 'ok', release: 'shop@1.2.0', 'http.request.method': 'POST', 'cart.items': 3 },
      },
    ],
  ],
  [
    () => 'event analytics acme/web',
    () => [
      { outcome: 'accepted', label: 'Accepted', reason: 'accepted', category: 'error', events: 7, share: 1, tags: [] },
    ],
  ],
  [
    () => 'token create acme/ci',
    () => ({ name: 'ci', scopes: ['org:ci'], token: expect.stringMatching(/^sntrys_/) as unknown }),
  ],
  [() => 'token list acme', () => some({ name: 'ci', scopes: ['org:ci'] })],
  [() => 'log list acme/web', (one) => listed(log(one))],
  [
    () => 'explore acme/web --field title --field count() --dataset errors',
    () =>
      listed(
        { title: "TypeError: Cannot read properties of null (reading 'amount')", 'count()': 6 },
        { title: 'DiskFullError: no space left', 'count()': 1 },
      ),
  ],
  [
    () => 'explore acme/web --field span.op --field max(span.duration) --dataset spans',
    () => ({ data: some({ 'span.op': 'db', 'max(span.duration)': 120 }) }),
  ],
  [
    () => 'attribute list acme/web --limit 100',
    () => ({ data: some({ key: 'tags[cart.items,number]', name: 'cart.items', type: 'number', source: 'user' }) }),
  ],
  [() => 'release list acme/', (one) => listed(release(one))],
  [({ release: version }) => `release view acme/${version}`, release],
  [
    ({ release: version }) => `release deploys acme/${version}`,
    () => [{ environment: 'production', name: 'blue', dateFinished: '2026-01-02T03:10:00.000Z' }],
  ],
  [() => 'release create acme/pocket@1 -p web', () => ({ version: 'pocket@1' })],
  [() => 'release deploy acme/pocket@1 staging', () => ({ environment: 'staging' })],
  [() => 'release archive acme/pocket@1', () => ({ version: 'pocket@1', status: 'archived' })],
  [() => 'release restore acme/pocket@1', () => ({ version: 'pocket@1', status: 'open' })],
  [() => 'alert issues list acme/web', (one) => ({ data: some(issueRule(one)) })],
  [({ issueRule: id }) => `alert issues view acme/web/${id}`, issueRule],
  [() => 'alert metrics list acme/', (one) => listed(metricRule(one))],
  [
    ({ metricRule: id }) => `alert metrics view acme/${id}`,
    (one) => ({
      ...metricRule(one),
      conditionGroup: { conditions: [{ comparison: 2000 }, { comparison: 500 }, { comparison: 400 }] },
    }),
  ],
  ...alertChanges,
  [
    () => 'feedback list acme/web --query Pay',
    () =>
      listed({
        issueCategory: 'feedback',
        issueType: 'feedback',
        status: 'unresolved',
        project: { slug: 'web' },
        culprit: 'https://shop.example.com/checkout',
        metadata: paid,
      }),
  ],
  ...(['resolve', 'spam', 'unresolve'] as const).map((change): Row => [
    ({ feedback }) => `feedback ${change} acme/${feedback}`,
    ({ feedback: shortId }) => ({
      shortId,
      status: { resolve: 'resolved', spam: 'ignored', unresolve: 'unresolved' }[change],
    }),
  ]),
  [() => 'feedback list acme/web --status resolved', () => listed()],
  [
    ({ feedback }) => `feedback view acme/${feedback}`,
    ({ feedback: shortId, eventId }) => ({
      shortId,
      metadata: { ...paid, associated_event_id: eventId },
      event: {
        environment: 'production',
        release: { version: 'shop@1.2.0' },
        contexts: { feedback: { ...said, url: 'https://shop.example.com/checkout', associated_event_id: eventId } },
      },
      replayIds: [],
      attachments: [],
    }),
  ],
  [({ issue }) => `issue resolve acme/${issue}`, () => ({ status: 'resolved' })],
  [({ issue }) => `issue unresolve acme/${issue}`, () => ({ status: 'unresolved' })],
  [({ issue }) => `issue archive acme/${issue}`, () => ({ status: 'ignored' })],
  [
    ({ issue, threadsIssue }) => `issue merge acme/${issue} acme/${threadsIssue}`,
    ({ issue, threadsIssue }) => ({ parent: { shortId: issue }, children: [{ shortId: threadsIssue }] }),
  ],
  [
    () => 'project create acme/pocket:node',
    () => ({ project: { slug: 'pocket', platform: 'node', teams: [{ slug: 'pocket' }] } }),
  ],
  [() => 'team list acme/', () => ({ data: some({ slug: 'pocket' }) })],
];

/** Those that a short run compares: an answer of each kind. */
export const few: readonly Row[] = rows.filter(([words]) =>
  /^(?:org view|issue view|event view|trace view|span list|release view|alert (?:issues|metrics) list)/.test(
    words({} as Facts),
  ),
);

/**
 * Commands of what Culprit does not have, and what they say. This list may only shrink: what comes to Culprit gets a row above.
 */
export const mostAbsent = 8;
export const absent: Readonly<Record<string, string>> = {
  'issue explain acme/WEB-1': 'Culprit has no Seer',
  'issue plan acme/WEB-1': 'Culprit has no Seer',
  'issue link acme/WEB-1 https://github.com/acme/shop/issues/1': 'Culprit has no integrations with other trackers.',
  'replay list acme/web': 'Culprit has no session replays.',
  'integration list acme/': 'Culprit has no integrations with other trackers.',
  'agent-conversation list acme/': 'Culprit has no list of agent conversations.',
  'trial list acme/': 'Culprit has no plans or trials',
};
