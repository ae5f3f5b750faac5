/** Tools of Sentry's MCP server, and what each shows: the list of what is compared with what was sent (`client-facts.ts`). */
import { expect } from 'vitest';
import { owner } from '../server/test/harness.ts';
import type { Facts } from './client-facts.ts';

type Json = Readonly<Record<string, unknown>>;

export const org = { organizationSlug: 'acme' };
const web = { ...org, projectSlug: 'web' };
const issue = ({ issue: issueId }: Facts) => ({ ...org, issueId });

/** A tool, what it is given, and what must stand in its answer: lines as they are, or the parts of structured content. */
export interface Row {
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

export const rows: readonly Row[] = [
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
    has: ({ dsn }) => ({ dsns: [{ name: 'Default', dsn: dsn }, { name: 'Workers' }] }),
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
export const mostAbsent = 18;
export const absent: Readonly<Record<string, readonly [given: Json, says: string]>> = {
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
export const elsewhere = ['search_docs', 'get_doc', 'onboarding_status_update'];

/** An empty list is the truth; what is not there is deleted, as the client has it. */
export const empty: readonly Row[] = [
  { tool: 'find_monitors', given: () => org, has: () => ({ monitors: [] }) },
  { tool: 'delete_uptime_monitor', given: () => ({ ...web, uptimeMonitorId: '1' }), has: () => ({ success: true }) },
];
