/** Alert rules: about issues and about numbers; what they would have told, what they told. */
import { z } from 'zod';
import { deliveryStates } from '../channels/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { metricFields } from './clients-contract.ts';
import { dateTime, orgParams, pageQuery, perPage, ValueInterval } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const minutes = z.int().min(1).max(1440).describe('Length of the evaluated window, at most a day.');

/** Something that happened to an issue, or that holds of it. */
const AlertCondition = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('new_issue') }),
    z.object({ type: z.literal('regression') }),
    z.object({ type: z.literal('escalating') }),
    z.object({ type: z.literal('unarchived') }).describe('An archived issue returned.'),
    z.object({ type: z.literal('event_frequency'), count: z.int().min(1).max(100_000_000), minutes }),
    z.object({ type: z.literal('user_frequency'), count: z.int().min(1).max(100_000_000), minutes }),
    z
      .object({ type: z.literal('session_share'), percent: z.number().gt(0).max(1000), minutes })
      .describe('Events of the issue per 100 sessions of its project.'),
    z.object({
      type: z.literal('watched_digest'),
      digest: z
        .string()
        .regex(/^\d{1,20}$/, invalid.digest)
        .nullable()
        .describe('null: a digest that anyone in the organisation watches.'),
    }),
  ])
  .meta({ id: 'AlertCondition' });

const AlertMetric = z
  .object({
    dataset: z.enum(['errors', 'spans', 'transactions', 'sessions']),
    aggregate: z
      .string()
      .min(1)
      .max(500)
      .describe(
        'As in Explore: `count()`, `p95(span.duration)`, …; for sessions `crash_free_rate(session)`, `crash_free_rate(user)` (in percent) or `sum(session)`.',
      ),
    minutes,
    comparison: z.discriminatedUnion('type', [
      z.object({ type: z.literal('static') }),
      z.object({
        type: z.literal('change'),
        against: z
          .enum(['previous', 'day', 'week'])
          .describe('The previous window, or the same window a day or week before. Thresholds are percent.'),
      }),
      z
        .object({
          type: z.literal('anomaly'),
          sensitivity: z.enum(['low', 'medium', 'high']),
        })
        .describe('Compared with the same hours of earlier weeks. Requires two weeks of data.'),
    ]),
    direction: z.enum(['above', 'below', 'both']).describe('`both` applies to anomalies and changes.'),
    warning: z.number().nullable(),
    critical: z.number().nullable().describe('Static and change rules need at least one of warning and critical.'),
    resolve: z.number().nullable().describe('null: slightly beyond the lowest threshold.'),
    noData: z.enum(['ok', 'keep', 'alert']).describe('State of a window without data.'),
  })
  .meta({ id: 'AlertMetric' });

const ids = z.array(z.string().regex(/^\d{1,9}$/, invalid.ids)).max(100);

const settings = {
  name: z.string().trim().min(1, invalid.empty).max(200),
  enabled: z.boolean(),
  projectIds: ids.describe('Empty: all projects, except the one of the installation itself.'),
  environment: z.string().max(200).nullable().describe('null: all.'),
  query: z
    .string()
    .max(4096)
    .describe('In the search language: for issue rules that of issues, for metric rules that of the data set.'),
  throttleMinutes: z
    .int()
    .min(0)
    .max(10_080)
    .describe('Minimum minutes between notifications for the same issue. Not used by metric rules.'),
  digestMinutes: z
    .int()
    .min(0)
    .max(1440)
    .describe('Minutes after a message in which further firings are gathered into one.'),
  channelIds: ids,
  owner: z
    .string()
    .regex(/^(user:[\w-]{1,100}|team:\d{1,9})$/, invalid.owner)
    .nullable(),
};

const issuePart = {
  match: z.enum(['any', 'all']).describe('Whether any condition is enough, or all are needed.'),
  conditions: z.array(AlertCondition).min(1, 'needs at least one entry').max(10),
};

export const AlertRule = z
  .object({
    id: z.string(),
    kind: z.enum(['issue', 'metric']),
    ...settings,
    match: issuePart.match,
    conditions: z.array(AlertCondition).describe('Issue rules only; else empty.'),
    metric: AlertMetric.nullable().describe('Metric rules only.'),
    sentence: z.string().describe('The rule in one sentence.'),
    state: z
      .enum(['ok', 'warning', 'critical', 'no_data', 'learning', 'problem', 'disabled'])
      .describe(
        'learning: too few weeks for a baseline. problem: the rule cannot be evaluated; `problem` has the reason.',
      ),
    stateSince: dateTime().nullable(),
    value: z.number().nullable().describe('The last value of a metric rule.'),
    problem: z.string(),
    mutedUntil: dateTime('For everyone.').nullable(),
    mutedForMeUntil: dateTime('For the caller: mail channels skip their address.').nullable(),
    mayChange: z.boolean().describe('Whether the caller may change, disable, delete and mute it for everyone.'),
    whoMayChange: z.string().describe('Who may change it, as text.'),
    lastFiredAt: dateTime().nullable(),
    firedLast7Days: z.int(),
    firedByDay: z.array(z.int()).describe('Firings in each of the last seven 24-hour periods, earliest first.'),
    dateCreated: dateTime(),
    dateUpdated: dateTime(),
    createdBy: z.string().nullable().describe('ID of the user.'),
    ...z.object(metricFields).partial().shape,
  })
  .meta({
    id: 'AlertRule',
    description: "dataset, aggregate, timeWindow, projects and triggers: metric rules only, for Sentry's clients.",
  });

const withDefaults = {
  name: settings.name,
  enabled: settings.enabled.default(true),
  projectIds: settings.projectIds.default([]),
  environment: settings.environment.default(null),
  query: settings.query.default(''),
  throttleMinutes: settings.throttleMinutes.default(30),
  digestMinutes: settings.digestMinutes.default(5),
  channelIds: settings.channelIds.default([]),
  owner: settings.owner.default(null),
};

const NewRule = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('issue'),
      ...withDefaults,
      match: issuePart.match.default('any'),
      conditions: issuePart.conditions,
    }),
    z.object({ kind: z.literal('metric'), ...withDefaults, metric: AlertMetric }),
  ])
  .meta({ id: 'AlertRuleRequest' });

const tag = 'Alerts';
const list = '/organizations/:org/alert-rules/';
const one = `${list}:rule/` as const;
const ruleParams = orgParams.extend({ rule: z.string().max(20) });

export const listAlertRules = endpoint({
  method: 'GET',
  url: list,
  id: 'listAlertRules',
  tag,
  summary: 'List alert rules with their state',
  description: 'Open alerts first, then by name.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    project: z.string().max(200).optional().describe('Slug or ID: rules that watch this project.'),
    per_page: perPage.describe(
      "Pages of metric rules only, as Sentry's clients request them. Default: all rules of both kinds.",
    ),
    cursor: pageQuery.cursor,
  }),
  response: z.array(AlertRule),
});

export const createAlertRule = endpoint({
  method: 'POST',
  url: list,
  id: 'createAlertRule',
  tag,
  summary: 'Create an alert rule',
  access: 'event:write',
  params: orgParams,
  body: NewRule,
  status: 201,
  response: AlertRule,
});

export const getAlertRule = endpoint({
  method: 'GET',
  url: one,
  id: 'getAlertRule',
  tag,
  summary: 'Get an alert rule',
  access: 'event:read',
  params: ruleParams,
  response: AlertRule,
});

export const updateAlertRule = endpoint({
  method: 'PUT',
  url: one,
  id: 'updateAlertRule',
  tag,
  summary: 'Update an alert rule; omitted fields stay',
  description: 'Requires its creator, a manager, an admin or an owner.',
  access: 'event:write',
  params: ruleParams,
  body: z
    .object({ ...settings, ...issuePart, metric: AlertMetric })
    .partial()
    .meta({ id: 'AlertRuleUpdate' }),
  response: AlertRule,
});

export const deleteAlertRule = endpoint({
  method: 'DELETE',
  url: one,
  id: 'deleteAlertRule',
  tag,
  summary: 'Delete an alert rule with its history',
  description: 'Requires its creator, a manager, an admin or an owner.',
  access: 'event:write',
  params: ruleParams,
  status: 204,
});

export const muteAlertRule = endpoint({
  method: 'POST',
  url: `${one}mute/`,
  id: 'muteAlertRule',
  tag,
  summary: 'Mute a rule for a time, for everyone or for yourself',
  description:
    'For everyone: requires its creator, a manager, an admin or an owner. The rule is still evaluated, and its history lists held messages. For yourself: mail channels skip your address; others are not affected.',
  access: 'event:write',
  params: ruleParams,
  body: z.object({
    minutes: z.int().min(1).max(43_200).nullable().describe('null: unmute.'),
    for: z
      .enum(['everyone', 'me'])
      .optional()
      .describe('Default: everyone if the caller may change the rule, else me.'),
  }),
  response: AlertRule,
});

const AlertFiring = z
  .object({
    id: z.string(),
    ruleId: z.string(),
    ruleName: z.string(),
    at: dateTime(),
    state: z
      .enum(['waiting', 'told', 'throttled', 'muted', 'unheard'])
      .describe('waiting: sent with the next message. unheard: the rule has no channel.'),
    severity: z.enum(['info', 'warning', 'critical', 'resolved']),
    why: z.string().describe('Why it fired, as text.'),
    value: z.number().nullable(),
    estimated: ValueInterval,
    issue: z
      .object({ id: z.string(), shortId: z.string(), title: z.string(), level: z.string() })
      .nullable()
      .describe('null for metric rules and deleted issues.'),
  })
  .meta({ id: 'AlertFiring' });

const AlertHistoryEntry = AlertFiring.extend({
  deliveries: z
    .array(
      z.object({
        id: z.string(),
        channel: z.object({ id: z.string(), name: z.string() }),
        state: z.enum(deliveryStates),
        detail: z.string().describe('Reason of the state; empty if there is none.'),
      }),
    )
    .describe('Deliveries of its message, one per channel; kept for 30 days.'),
}).meta({ id: 'AlertHistoryEntry' });

export const listAlertHistory = endpoint({
  method: 'GET',
  url: `${one}history/`,
  id: 'listAlertHistory',
  tag,
  summary: 'List firings of a rule with their deliveries',
  description: 'Newest first. Kept for 90 days.',
  access: 'event:read',
  params: ruleParams,
  query: z.object(pageQuery),
  response: z.array(AlertHistoryEntry),
});

export const listAlertFirings = endpoint({
  method: 'GET',
  url: '/organizations/:org/alert-firings/',
  id: 'listAlertFirings',
  tag,
  summary: 'List firings of all rules',
  description: 'Newest first.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...pageQuery,
    issue: z
      .string()
      .regex(/^\d{1,9}$/)
      .optional()
      .describe('Firings for this issue only.'),
    project: z.string().max(200).optional().describe('Slug or ID: firings of rules that watch this project.'),
  }),
  response: z.array(AlertFiring),
});

const AlertPreview = z
  .object({
    id: z.string(),
    status: z.enum(['running', 'done', 'failed']),
    progress: z.number().describe('From 0 to 1.'),
    detail: z.string().describe('What failed, as text; empty if nothing did.'),
    sentence: z.string().describe('The rule in one sentence.'),
    verdict: z.string().describe('The result in one sentence; empty while it runs.'),
    days: z.int().describe('Number of evaluated days.'),
    count: z.int().describe('How often it would have fired.'),
    messages: z.int().describe('Number of messages after throttle and gathering.'),
    perDay: z.number(),
    firings: z
      .array(
        z.object({
          at: dateTime(),
          severity: z.enum(['info', 'warning', 'critical', 'resolved']),
          why: z.string(),
          value: z.number().nullable(),
          estimated: ValueInterval,
          issue: z.object({ id: z.string(), shortId: z.string(), title: z.string() }).nullable(),
        }),
      )
      .describe('Newest first, at most 100.'),
    tooMany: z
      .object({
        count: z.int(),
        suggestedThreshold: z
          .number()
          .nullable()
          .describe('A threshold with which it would have fired rarely; null if the rule has none.'),
        suggestedCount: z.int().nullable(),
      })
      .nullable(),
    series: z
      .array(z.tuple([z.int().describe('Seconds since the epoch.'), z.number().nullable()]))
      .describe('Metric rules only: the value over time; for changes the percentage that thresholds compare with.'),
    intervals: z
      .array(z.tuple([z.int().describe('Seconds since the epoch.'), z.number(), z.number()]))
      .describe('95 % intervals of those values of `series` that may be off by more than 1 %. Changes have none.'),
  })
  .meta({ id: 'AlertPreview' });

export const previewAlertRule = endpoint({
  method: 'POST',
  url: `${list}preview/`,
  id: 'previewAlertRule',
  tag,
  summary: 'Preview how often a rule would have fired in the last week',
  description: 'Runs in the background. The response has the result if it takes less than a second.',
  access: 'event:read',
  params: orgParams,
  body: NewRule,
  response: AlertPreview,
});

const previewParams = orgParams.extend({ preview: z.string().max(64) });

export const getAlertPreview = endpoint({
  method: 'GET',
  url: `${list}preview/:preview/`,
  id: 'getAlertPreview',
  tag,
  summary: 'Get the progress or result of a preview',
  access: 'event:read',
  params: previewParams,
  response: AlertPreview,
});

export const cancelAlertPreview = endpoint({
  method: 'DELETE',
  url: `${list}preview/:preview/`,
  id: 'cancelAlertPreview',
  tag,
  summary: 'Cancel a preview',
  access: 'event:read',
  params: previewParams,
  status: 204,
});

export const suggestAlertRules = endpoint({
  method: 'GET',
  url: '/organizations/:org/alert-suggestions/',
  id: 'suggestAlertRules',
  tag,
  summary: 'List suggested rules',
  access: 'event:read',
  params: orgParams,
  query: z.object({ project: z.string().max(200).optional().describe('Slug or ID: rules for this project.') }),
  response: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      why: z.string().describe('What the rule is for.'),
      sentence: z.string(),
      rule: NewRule,
    }),
  ),
});
