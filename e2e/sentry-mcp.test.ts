/**
 * Sentry's own MCP server, from npm, with an address and a token: each of its tools, and field by field what it shows against
 * what was sent. The table is the list of what is compared.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { owner } from '../server/test/harness.ts';
import { type ClientInstallation, type Facts, openClientInstallation } from './client-facts.ts';

type Json = Readonly<Record<string, unknown>>;

let installation: ClientInstallation;
let facts: Facts;
let client: Client;
/** What can be called by name; all others through `execute_sentry_tool`. */
let direct: ReadonlySet<string>;

const program = fileURLToPath(new URL('../node_modules/@sentry/mcp-server/dist/index.js', import.meta.url));

beforeAll(async () => {
  installation = await openClientInstallation();
  ({ facts } = installation);
  client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        program,
        `--access-token=${installation.server.installed.token}`,
        `--host=${new URL(installation.url).host}`,
        '--insecure-http',
        '--all-skills',
        // Its own reports of failures.
        '--sentry-dsn=',
      ],
      env: { ...installation.environment },
      stderr: 'ignore',
    }),
  );
  direct = new Set((await client.listTools()).tools.map(({ name }) => name));
}, 180_000);
afterAll(async () => {
  await client?.close();
  await installation?.[Symbol.asyncDispose]();
});

async function use(tool: string, given: Json) {
  const call = direct.has(tool)
    ? { name: tool, arguments: { ...given } }
    : { name: 'execute_sentry_tool', arguments: { name: tool, arguments: given } };
  const { content, structuredContent, isError } = await client.callTool(call);
  const parts = content as {
    type: string;
    text?: string;
    data?: string;
    resource?: { text?: string; blob?: string };
  }[];
  const text = parts.map((one) => one.text ?? one.resource?.text ?? one.resource?.blob ?? one.data ?? '').join('\n');
  return { text, data: structuredContent, isError: isError === true };
}

const org = { organizationSlug: 'acme' };
const web = { ...org, projectSlug: 'web' };
const issue = ({ issue: issueId }: Facts) => ({ ...org, issueId });

/** A tool, what it is given, and what must stand in its answer: lines as they are, or the parts of structured content. */
interface Row {
  readonly tool: string;
  readonly given: (facts: Facts) => Json;
  readonly shows?: (facts: Facts) => readonly (string | RegExp)[];
  readonly has?: (facts: Facts) => Json;
}

const checkoutIssue = (one: Facts) => [
  `# Issue ${one.issue} in **acme**`,
  "**Description**: TypeError: Cannot read properties of null (reading 'amount')",
  '**Culprit**: POST /checkout',
  '**Occurrences**: 6',
  '**Users Impacted**: 6',
  '**Platform**: node',
  '**Project**: Web',
  `**Event ID**: ${one.eventId}`,
  '/app/src/pricing/price-of.ts:18:32 (priceOf)',
  '→ 18 │   return item.quantity * product.price.amount * taxFactor;',
  '├─ item: {"sku":"TEA-117","quantity":2,"product":{"name":"Assam","price":null}}',
  '└─ taxFactor: 1.19',
  '/app/src/routes/checkout.ts:61:23 (postCheckout)',
  'https://shop.example.com/checkout',
  'ada@example.com',
];

const rows: readonly Row[] = [
  { tool: 'whoami', given: () => ({}), has: () => ({ user: { name: 'owner', email: owner.email } }) },
  { tool: 'find_organizations', given: () => ({}), has: () => ({ organizations: [{ slug: 'acme' }] }) },
  {
    tool: 'find_projects',
    given: () => org,
    has: () => ({ projects: expect.arrayContaining([{ slug: 'web' }]) as unknown }),
  },
  { tool: 'create_team', given: () => ({ ...org, name: 'Checkout' }), has: () => ({ team: { slug: 'checkout' } }) },
  {
    tool: 'find_teams',
    given: () => org,
    has: () => ({ teams: [{ slug: 'checkout' }] }),
  },
  {
    tool: 'add_team_to_project',
    given: () => ({ ...web, teamSlug: 'checkout' }),
    has: () => ({ changed: true, teams: [{ slug: 'checkout', name: 'Checkout' }] }),
  },
  { tool: 'create_team', given: () => ({ ...org, name: 'Search' }), has: () => ({ team: { slug: 'search' } }) },
  {
    tool: 'add_team_to_project',
    given: () => ({ ...web, teamSlug: 'search' }),
    has: () => ({ changed: true, teams: [{ slug: 'checkout' }, { slug: 'search', name: 'Search' }] }),
  },
  {
    tool: 'remove_team_from_project',
    given: () => ({ ...web, teamSlug: 'search' }),
    has: () => ({ changed: true, teams: [{ slug: 'checkout' }] }),
  },
  {
    tool: 'create_project',
    given: () => ({ ...org, teamSlug: 'checkout', name: 'Pocket Shop', platform: 'node', repository: 'acme/shop' }),
    shows: () => [
      '**Slug**: pocket-shop',
      '**Name**: Pocket Shop',
      '**Repository**: acme/shop (linked)',
      '**SENTRY_DSN**: http',
    ],
  },
  {
    tool: 'update_project',
    given: () => ({ ...org, projectSlug: 'pocket-shop', name: 'Pocket', platform: 'python' }),
    has: () => ({ project: { slug: 'pocket-shop', name: 'Pocket', platform: 'python' } }),
  },
  { tool: 'create_dsn', given: () => ({ ...web, name: 'Workers' }), has: () => ({ dsn: { name: 'Workers' } }) },
  {
    tool: 'find_dsns',
    given: () => web,
    has: () => ({ dsns: [{ name: 'Default', dsn: installation.server.installed.dsn }, { name: 'Workers' }] }),
  },
  {
    tool: 'update_dsn',
    given: () => ({ ...web, keyId: '1', name: 'Main', rateLimitWindow: 60, rateLimitCount: 5000 }),
    shows: () => ['**Name**: Main', '**Status**: Active', '**Rate Limit**: 5000 events per 60 seconds'],
  },
  {
    tool: 'find_releases',
    given: () => web,
    has: () => ({
      releases: expect.arrayContaining([
        expect.objectContaining({
          version: '1.2.0',
          dateReleased: '2026-01-02T03:04:05.000Z',
          projects: ['web'],
          lastCommit: expect.objectContaining({ message: 'Prices come from the new service' }) as unknown,
          lastDeploy: expect.objectContaining({ environment: 'production' }) as unknown,
        }),
      ]) as unknown,
    }),
  },
  {
    tool: 'get_release_details',
    given: ({ release }) => ({ ...org, releaseVersion: release, includeCommits: true, includeDeploys: true }),
    shows: ({ release, commit }) => [
      `# Release ${release} in **acme**`,
      '**Released**: 2026-01-02T03:04:05.000Z',
      '**Projects**: web',
      'production',
      '2026-01-02T03:10:00.000Z',
      commit.slice(0, 7),
      'Prices come from the new service',
      'Kim Lee',
    ],
  },
  {
    tool: 'find_alert_rules',
    given: () => web,
    has: ({ issueRule, metricRule }) => ({
      issueRules: expect.arrayContaining([
        expect.objectContaining({
          id: issueRule,
          name: 'New issues in production',
          status: 'active',
          actionMatch: 'any',
          frequencyMinutes: 45,
          environment: 'production',
        }),
      ]) as unknown,
      metricRules: [
        {
          id: metricRule,
          name: 'Error rate',
          dataset: 'errors',
          aggregate: 'count()',
          query: 'level:error',
          timeWindowMinutes: 30,
          projects: ['web'],
          environment: 'production',
        },
      ],
    }),
  },
  {
    tool: 'find_alert_rules',
    given: () => ({ ...org, kind: 'metric', query: 'rate' }),
    has: () => ({
      metricRules: [{ name: 'Error rate', aggregate: 'count()', timeWindowMinutes: 30, projects: ['web'] }],
    }),
  },
  {
    tool: 'get_alert_rule',
    given: () => ({ ...web, kind: 'issue', ruleIdOrName: 'New issues in production' }),
    shows: ({ issueRule }) => [
      '# New issues in production',
      `**ID**: ${issueRule}`,
      '**Frequency**: 45 minutes',
      '**Environment**: production',
      'First seen event',
      /Event frequency count .*value: 12.*interval: 1hr/,
      'level:error',
      'Deploy bot',
    ],
  },
  {
    tool: 'get_alert_rule',
    given: ({ metricRule }) => ({ ...org, kind: 'metric', ruleIdOrName: metricRule }),
    shows: () => [
      '# Error rate',
      '**Dataset**: errors',
      '**Aggregate**: count()',
      '**Query**: level:error',
      '**Time Window**: 30 minutes',
      '**Projects**: web',
      'Critical threshold: 2000; resolves below: 400',
      'Warning threshold: 500',
      'Deploy bot',
    ],
  },
  { tool: 'get_issue_details', given: issue, shows: checkoutIssue },
  {
    tool: 'get_issue_details',
    given: ({ eventId }) => ({ ...org, eventId }),
    shows: ({ issue: shortId, eventId }) => [`# Issue ${shortId} in **acme**`, `**Event ID**: ${eventId}`],
  },
  {
    tool: 'get_sentry_resource',
    given: ({ issue: resourceId }) => ({ ...org, resourceType: 'issue', resourceId }),
    shows: checkoutIssue,
  },
  {
    tool: 'get_event_stacktrace',
    given: ({ threadsIssue, threadsEventId }) => ({ ...org, issueId: threadsIssue, eventId: threadsEventId }),
    shows: ({ threadsEventId }) => [`**Event ID**: ${threadsEventId}`, 'exporter', 'jobs/export.py', '57', 'write_row'],
  },
  {
    tool: 'get_issue_breadcrumbs',
    given: issue,
    shows: () => [
      '**Total Breadcrumbs**: 6',
      '[navigation] {"from":"/cart","to":"/checkout"}',
      '[ui.click] button#pay',
      'error   [http] {"method":"GET","url":"https://prices.internal/v2/list","status_code":503}',
      'warning [console] price list is stale, using the last one',
    ],
  },
  {
    tool: 'get_issue_user_reports',
    given: issue,
    shows: () => ['by Ada Lovelace:', '"I pressed Pay three times and always got an error page."'],
  },
  {
    tool: 'get_issue_tag_values',
    given: (one) => ({ ...issue(one), tagKey: 'plan' }),
    has: () => ({
      tag: {
        key: 'plan',
        totalValues: 6,
        topValues: [
          { value: 'pro', count: 4 },
          { value: 'free', count: 2 },
        ],
      },
    }),
  },
  {
    tool: 'get_event_attachment',
    given: ({ eventId }) => ({ ...web, eventId }),
    shows: () => [
      '**Name:** cart.json',
      '**Size:** 42 bytes',
      '**MIME Type:** application/json',
      '**Name:** server.log',
    ],
  },
  {
    tool: 'get_trace_details',
    given: ({ trace: traceId }) => ({ ...org, traceId }),
    shows: ({ trace, span, childSpan }) => [
      `# Trace \`${trace}\` in **acme**`,
      '**Total Spans**: 2',
      '**Errors**: 1',
      '**Logs**: 1',
      `POST /checkout [http.server · 300ms · ${span}]`,
      `SELECT * FROM carts WHERE user_id = $1 [db · 120ms · ${childSpan}]`,
    ],
  },
  {
    tool: 'get_span_details',
    given: ({ trace: traceId, childSpan: spanId }) => ({ ...org, traceId, spanId }),
    shows: ({ span, childSpan }) => [
      `# Span \`${childSpan}\``,
      '**Operation**: db',
      '**Description**: SELECT * FROM carts WHERE user_id = $1',
      '**Duration**: 120ms',
      '**Status**: ok',
      `**Parent Span ID**: ${span}`,
    ],
  },
  {
    tool: 'search_events',
    given: () => ({ ...org, dataset: 'errors', query: 'plan:pro', fields: ['title', 'count()'], sort: '-count()' }),
    shows: () => [`"title": "TypeError: Cannot read properties of null (reading 'amount')"`, '"count()": 4'],
  },
  {
    tool: 'search_events',
    given: () => ({
      ...web,
      dataset: 'spans',
      query: 'span.op:db',
      fields: ['span.op', 'span.description', 'span.duration'],
      sort: '-span.duration',
    }),
    shows: () => ['span.op', 'SELECT * FROM carts WHERE user_id = $1', '120'],
  },
  {
    tool: 'search_events',
    given: () => ({
      ...org,
      dataset: 'logs',
      query: 'level:warn',
      fields: ['timestamp', 'message', 'severity', 'trace'],
    }),
    shows: ({ trace }) => ['[WARN ] price list is empty', trace],
  },
  {
    tool: 'search_issues',
    given: () => ({ ...web, query: 'is:unresolved error.type:TypeError' }),
    shows: ({ issue: shortId }) => [
      'Found **1** issue',
      shortId,
      "**TypeError: Cannot read properties of null (reading 'amount')**",
      '- **Users**: 6',
      '- **Events**: 6',
      '- **Culprit**: `POST /checkout`',
    ],
  },
  {
    tool: 'search_issue_events',
    given: (one) => ({ ...issue(one), query: 'environment:staging' }),
    shows: () => ['Found 1 error', '**environment**: staging', '**release**: shop@1.2.0', 'plan=pro'],
  },
  {
    tool: 'update_issue',
    given: (one) => ({ ...issue(one), status: 'resolved', assignedTo: owner.email }),
    shows: () => ['**Status**: unresolved → **resolved**', '**Assigned To**: Unassigned → **owner**'],
  },
  {
    tool: 'add_issue_note',
    given: (one) => ({ ...issue(one), text: 'The price list was **empty**.' }),
    shows: () => ['**Author**: owner', '**Type**: note', '**Text**: The price list was **empty**.'],
  },
  {
    tool: 'get_issue_activity',
    given: issue,
    shows: () => [
      /note by owner \(\d+\)\n {2}- The price list was \*\*empty\*\*\./,
      'set_resolved by owner',
      'assigned by owner',
    ],
  },
];

/**
 * Tools of what Culprit does not have, and what it says. This list may only shrink: what comes to Culprit gets a row above.
 * Their number is the most there may be.
 */
const mostAbsent = 18;
const absent: Readonly<Record<string, readonly [given: Json, says: string]>> = {
  find_dashboards: [org, 'Culprit has no dashboards.'],
  get_dashboard_details: [{ ...org, dashboardIdOrTitle: '1' }, 'Culprit has no dashboards.'],
  get_monitor_details: [{ ...web, monitorSlug: 'nightly' }, 'Culprit has no cron monitors.'],
  find_uptime_monitors: [org, 'Culprit has no uptime monitors.'],
  get_uptime_monitor_details: [{ ...web, uptimeMonitorId: '1' }, 'Culprit has no uptime monitors.'],
  create_uptime_monitor: [
    { ...web, name: 'Shop', url: 'https://shop.example.com', intervalSeconds: 60, timeoutMs: 5000 },
    'Culprit has no uptime monitors.',
  ],
  update_uptime_monitor: [{ ...web, uptimeMonitorId: '1', name: 'Shop' }, 'Culprit has no uptime monitors.'],
  get_replay_details: [{ ...org, replayId: 'a'.repeat(32) }, 'Culprit has no session replays.'],
  get_profile: [{ ...org, projectSlugOrId: 'web', transactionName: 'POST /checkout' }, 'Culprit has no profiles.'],
  get_profile_details: [{ ...org, projectSlugOrId: 'web', profileId: 'a'.repeat(32) }, 'Culprit has no profiles.'],
  analyze_issue_with_seer: [{ ...org, issueId: 'WEB-1' }, 'Culprit has no Seer'],
  get_snapshot: [{ ...org, snapshotId: '1' }, 'Culprit has no mobile builds and snapshots.'],
  get_snapshot_image: [
    { ...org, snapshotId: '1', imageIdentifier: 'a.png' },
    'Culprit has no mobile builds and snapshots.',
  ],
  get_latest_base_snapshot: [{ ...web, appId: 'shop' }, 'Culprit has no mobile builds and snapshots.'],
  get_agent_conversation_details: [{ ...org, conversationId: 'c' }, 'Culprit has no list of agent conversations.'],
  get_ai_conversation_details: [{ ...org, conversationId: 'c' }, 'Culprit has no list of agent conversations.'],
  search_agent_conversations: [org, 'Culprit has no list of agent conversations.'],
  search_ai_conversations: [org, 'Culprit has no list of agent conversations.'],
};

/** Called nowhere: they read Sentry's documentation on the internet, or tell Sentry how its own onboarding goes. */
const elsewhere = ['search_docs', 'get_doc', 'onboarding_status_update'];

/** An empty list is the truth; what is not there is deleted, as the client has it. */
const empty: readonly Row[] = [
  { tool: 'find_monitors', given: () => org, has: () => ({ monitors: [] }) },
  { tool: 'delete_uptime_monitor', given: () => ({ ...web, uptimeMonitorId: '1' }), has: () => ({ success: true }) },
];

describe('each tool shows what was sent', () => {
  test.each([...rows, ...empty].map((row, index) => [`${index + 1} ${row.tool}`, row] as const))(
    '%s',
    async (_, { tool, given, shows, has }) => {
      const { text, data, isError } = await use(tool, given(facts));
      expect(isError, text).toBe(false);
      for (const one of shows?.(facts) ?? []) expect(text).toMatch(one instanceof RegExp ? one : literally(one));
      if (has) expect(data, text).toMatchObject(has(facts));
    },
  );
});

describe('what Culprit does not have is said in a sentence', () => {
  test.each(Object.entries(absent))('%s', async (tool, [given, says]) => {
    const { text, isError } = await use(tool, given);
    expect(isError).toBe(true);
    expect(text).toContain(says);
  });
});

test('every tool is in one of the lists, and the list of absent ones does not grow', async () => {
  const words = [
    'issue',
    'project',
    'find',
    'get',
    'search',
    'update',
    'create',
    'delete',
    'sentry',
    'agent',
    'snapshot',
  ];
  const found = new Set<string>();
  for (const query of words) {
    const { data } = await use('search_sentry_tools', { query, limit: 20 });
    for (const { name } of (data as { results: { name: string }[] }).results) found.add(name);
  }
  const listed = [...rows, ...empty].map(({ tool }) => tool);
  expect([...found].filter((name) => ![...listed, ...Object.keys(absent), ...elsewhere].includes(name))).toEqual([]);
  expect(Object.keys(absent).length).toBeLessThanOrEqual(mostAbsent);
  for (const tool of Object.keys(absent)) expect(listed).not.toContain(tool);
});

test('nothing else that it asked for was missing', () => {
  const missing = installation.requests
    .filter(({ status }) => status >= 400)
    .map(({ method, path }) => `${method} ${path}`);
  const known =
    /\/(?:dashboards|monitors\/nightly|uptime|replays?|replay-count|profiling|autofix|preprodartifacts|agents)\//;
  expect(missing.filter((one) => !known.test(one))).toEqual([]);
});

test('it looked up and called nothing but 127.0.0.1', async () => {
  expect(await installation.outside()).toBe('');
});

const literally = (text: string): RegExp => new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
