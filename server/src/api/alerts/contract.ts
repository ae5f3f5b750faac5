/** Alert rules: about issues and about numbers; what they would have told, what they told. */
import { z } from 'zod';
import { deliveryStates } from '../channels/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery } from '../shared/schemas.ts';

const minutes = z.int().min(1).max(1440).describe('Length of the window that is looked at, up to a day.');

/** Something that happened to an issue, or that holds of it. */
const AlertCondition = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('new_issue') }),
    z.object({ type: z.literal('regression') }),
    z.object({ type: z.literal('escalating') }),
    z.object({ type: z.literal('unarchived') }).describe('An archived issue came back.'),
    z.object({ type: z.literal('event_frequency'), count: z.int().min(1).max(100_000_000), minutes }),
    z.object({ type: z.literal('user_frequency'), count: z.int().min(1).max(100_000_000), minutes }),
    z
      .object({ type: z.literal('session_share'), percent: z.number().gt(0).max(1000), minutes })
      .describe('Events of the issue for each 100 sessions of its project.'),
    z.object({
      type: z.literal('watched_digest'),
      digest: z
        .string()
        .regex(/^\d{1,20}$/, 'must be the digits of a digest')
        .nullable()
        .describe('null: one that somebody of the organisation waits for.'),
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
        'As Explore has it: `count()`, `p95(span.duration)`, …; of sessions `crash_free_rate(session)`, `crash_free_rate(user)` (in percent) or `sum(session)`.',
      ),
    minutes,
    comparison: z.discriminatedUnion('type', [
      z.object({ type: z.literal('static') }),
      z.object({
        type: z.literal('change'),
        against: z
          .enum(['previous', 'day', 'week'])
          .describe('The window before, or the same one a day or week before; thresholds are percent.'),
      }),
      z
        .object({
          type: z.literal('anomaly'),
          sensitivity: z.enum(['low', 'medium', 'high']),
        })
        .describe('Against the same hours of earlier weeks; it needs two of them.'),
    ]),
    direction: z.enum(['above', 'below', 'both']).describe('`both` is for anomalies and changes.'),
    warning: z.number().nullable(),
    critical: z
      .number()
      .nullable()
      .describe('Of static and change rules at least one of warning and critical is there.'),
    resolve: z.number().nullable().describe('null: a little this side of the lowest threshold.'),
    noData: z.enum(['ok', 'keep', 'alert']).describe('What a window without anything to make a value of means.'),
  })
  .meta({ id: 'AlertMetric' });

const ids = z.array(z.string().regex(/^\d{1,9}$/, 'must be ids')).max(100);

const settings = {
  name: z.string().trim().min(1, 'must not be empty').max(200),
  enabled: z.boolean(),
  projectIds: ids.describe('Empty: all, but not the one in which the installation reports of itself.'),
  environment: z.string().max(200).nullable().describe('null: all.'),
  query: z
    .string()
    .max(4096)
    .describe('In the search language: of issue rules that of issues, of metric rules that of the data set.'),
  throttleMinutes: z
    .int()
    .min(0)
    .max(10_080)
    .describe('A rule tells of the same issue at most once in so many minutes; of metric rules it means nothing.'),
  digestMinutes: z
    .int()
    .min(0)
    .max(1440)
    .describe('After a message what follows is gathered for so long and told in one.'),
  channelIds: ids,
  owner: z
    .string()
    .regex(/^(user:[\w-]{1,100}|team:\d{1,9})$/, 'must be user:ID or team:ID')
    .nullable(),
};

const issuePart = {
  match: z.enum(['any', 'all']).describe('Whether one of the conditions is enough.'),
  conditions: z.array(AlertCondition).min(1, 'needs at least one').max(10),
};

export const AlertRule = z
  .object({
    id: z.string(),
    kind: z.enum(['issue', 'metric']),
    ...settings,
    match: issuePart.match,
    conditions: z.array(AlertCondition).describe('Of issue rules; else empty.'),
    metric: AlertMetric.nullable().describe('Of metric rules.'),
    sentence: z.string().describe('The rule in one sentence.'),
    state: z
      .enum(['ok', 'warning', 'critical', 'no_data', 'learning', 'problem', 'disabled'])
      .describe('learning: too few weeks to know what is usual. problem: it cannot be evaluated, `problem` says why.'),
    stateSince: dateTime().nullable(),
    value: z.number().nullable().describe('The last value of a metric rule.'),
    problem: z.string(),
    mutedUntil: dateTime('For everyone.').nullable(),
    mutedForMeUntil: dateTime('For the caller: mail channels leave out their address.').nullable(),
    mayChange: z.boolean().describe('Whether the caller may change, disable, mute for everyone and delete it.'),
    whoMayChange: z.string().describe('Who may, in words.'),
    lastFiredAt: dateTime().nullable(),
    firedLast7Days: z.int(),
    firedByDay: z.array(z.int()).describe('In each of the last seven times 24 hours, the earliest first.'),
    dateCreated: dateTime(),
    dateUpdated: dateTime(),
    createdBy: z.string().nullable().describe('Id of the user.'),
  })
  .meta({ id: 'AlertRule' });

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
  summary: 'Alert rules with their state',
  description: 'Those in alarm first, then by name.',
  access: 'event:read',
  params: orgParams,
  query: z.object({ project: z.string().max(200).optional().describe('Slug or id: rules that watch this project.') }),
  response: z.array(AlertRule),
});

export const createAlertRule = endpoint({
  method: 'POST',
  url: list,
  id: 'createAlertRule',
  tag,
  summary: 'Make an alert rule',
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
  summary: 'An alert rule',
  access: 'event:read',
  params: ruleParams,
  response: AlertRule,
});

export const updateAlertRule = endpoint({
  method: 'PUT',
  url: one,
  id: 'updateAlertRule',
  tag,
  summary: 'Change an alert rule; what is left out stays',
  description: 'For its maker, admins and owners of the organisation.',
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
  description: 'For its maker, admins and owners of the organisation.',
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
    'For everyone: its maker, admins and owners. It is evaluated all the same, and its history says what it would have told. For yourself: mail channels leave out your address, and nothing changes for others.',
  access: 'event:write',
  params: ruleParams,
  body: z.object({
    minutes: z.int().min(1).max(43_200).nullable().describe('null: it may speak again.'),
    for: z
      .enum(['everyone', 'me'])
      .optional()
      .describe('When left out: everyone where the caller may change the rule, else me.'),
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
      .describe('waiting: it goes out with the next message. unheard: the rule has no channel.'),
    severity: z.enum(['info', 'warning', 'critical', 'resolved']),
    why: z.string().describe('What made it fire, in words.'),
    value: z.number().nullable(),
    issue: z
      .object({ id: z.string(), shortId: z.string(), title: z.string(), level: z.string() })
      .nullable()
      .describe('null of metric rules, and once it was deleted.'),
  })
  .meta({ id: 'AlertFiring' });

const AlertHistoryEntry = AlertFiring.extend({
  deliveries: z
    .array(
      z.object({
        id: z.string(),
        channel: z.object({ id: z.string(), name: z.string() }),
        state: z.enum(deliveryStates),
        detail: z.string().describe('Why it is in its state; empty where that is plain.'),
      }),
    )
    .describe('Of the message that told it, one a channel; forgotten after 30 days.'),
}).meta({ id: 'AlertHistoryEntry' });

export const listAlertHistory = endpoint({
  method: 'GET',
  url: `${one}history/`,
  id: 'listAlertHistory',
  tag,
  summary: 'When a rule fired, and whether anybody was told',
  description: 'The newest first. Kept for 90 days.',
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
  summary: 'When any rule fired',
  description: 'The newest first.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...pageQuery,
    issue: z
      .string()
      .regex(/^\d{1,9}$/)
      .optional()
      .describe('Of this issue alone.'),
    project: z.string().max(200).optional().describe('Slug or id: of rules that watch this project.'),
  }),
  response: z.array(AlertFiring),
});

const AlertPreview = z
  .object({
    id: z.string(),
    status: z.enum(['running', 'done', 'failed']),
    progress: z.number().describe('From 0 to 1.'),
    detail: z.string().describe('What went wrong, in words; empty for nothing.'),
    sentence: z.string().describe('The rule in one sentence.'),
    verdict: z.string().describe('What was found in one sentence; empty while it runs.'),
    days: z.int().describe('So many days up to now were looked at.'),
    count: z.int().describe('How often it would have fired.'),
    messages: z.int().describe('How many messages that would have been, after throttle and digests.'),
    perDay: z.number(),
    firings: z
      .array(
        z.object({
          at: dateTime(),
          severity: z.enum(['info', 'warning', 'critical', 'resolved']),
          why: z.string(),
          value: z.number().nullable(),
          issue: z.object({ id: z.string(), shortId: z.string(), title: z.string() }).nullable(),
        }),
      )
      .describe('The newest first, at most 100.'),
    tooMany: z
      .object({
        count: z.int(),
        suggestedThreshold: z
          .number()
          .nullable()
          .describe('A threshold with which it would have fired rarely; null where none is part of the rule.'),
        suggestedCount: z.int().nullable(),
      })
      .nullable(),
    series: z
      .array(z.tuple([z.int().describe('Seconds since the epoch.'), z.number().nullable()]))
      .describe(
        'Of metric rules, over time: the value; of changes how many percent, as it is held against the thresholds.',
      ),
  })
  .meta({ id: 'AlertPreview' });

export const previewAlertRule = endpoint({
  method: 'POST',
  url: `${list}preview/`,
  id: 'previewAlertRule',
  tag,
  summary: 'How often a rule would have fired in the last week',
  description:
    'Asked before it is saved. It runs in the background; the answer is there at once where that takes less than a second.',
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
  summary: 'How far a preview is, or what it found',
  access: 'event:read',
  params: previewParams,
  response: AlertPreview,
});

export const cancelAlertPreview = endpoint({
  method: 'DELETE',
  url: `${list}preview/:preview/`,
  id: 'cancelAlertPreview',
  tag,
  summary: 'Break a preview off',
  access: 'event:read',
  params: previewParams,
  status: 204,
});

export const suggestAlertRules = endpoint({
  method: 'GET',
  url: '/organizations/:org/alert-suggestions/',
  id: 'suggestAlertRules',
  tag,
  summary: 'Ready-made rules to begin with',
  access: 'event:read',
  params: orgParams,
  query: z.object({ project: z.string().max(200).optional().describe('Slug or id: the rules are for this project.') }),
  response: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      why: z.string().describe('What it is good for.'),
      sentence: z.string(),
      rule: NewRule,
    }),
  ),
});
