/** What Sentry's clients may send of conditions and actions, as JSON Schemas. */
import type { z } from 'zod';
import type { ListedChannel } from '../../domains/notify/index.ts';
import type { listAvailableActions, listDataConditions } from './clients-contract.ts';

type KnownCondition = z.output<typeof listDataConditions.response>[number];
type KnownAction = z.output<typeof listAvailableActions.response>[number];

const flag = { type: 'boolean' };
const text = { type: 'string' };
const amount = { type: 'number', minimum: 0 };
const fields = (properties: object, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const often = fields({ value: amount, interval: { type: 'string', pattern: '^\\d{1,4}(m|min|h|hr|d)$' } });
const level = fields({ level: { type: ['integer', 'string'] }, match: { enum: ['eq', 'gte', 'lte'] } }, ['level']);
const matches = { enum: ['eq', 'ne', 'co', 'nc', 'sw', 'nsw', 'ew', 'new', 'is', 'ns', 'in', 'nin'] };
const age = fields({
  comparison_type: { enum: ['older', 'newer'] },
  value: amount,
  time: { enum: ['minute', 'hour', 'day', 'week'] },
});
const anomaly = fields({
  sensitivity: { enum: ['low', 'medium', 'high'] },
  threshold_type: { enum: [0, 1, 2] },
});

const groups: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>> = {
  workflow_trigger: {
    first_seen_event: flag,
    regression_event: flag,
    reappeared_event: flag,
    new_high_priority_issue: flag,
    event_frequency_count: often,
    event_unique_user_frequency_count: often,
    percent_sessions_count: often,
    watched_digest: { type: ['boolean', 'string'] },
  },
  action_filter: {
    query: text,
    level,
    tagged_event: fields({ key: text, match: matches, value: text }, ['key', 'match']),
    event_attribute: fields({ attribute: text, match: matches, value: text }, ['attribute', 'match']),
    latest_release: flag,
    age_comparison: age,
    issue_occurrences: fields({ value: amount }),
    event_frequency_count: often,
    event_unique_user_frequency_count: often,
    percent_sessions_count: often,
  },
  detector_trigger: {
    gt: amount,
    gte: amount,
    lt: amount,
    lte: amount,
    anomaly_detection: anomaly,
  },
};

/** Of one group, or of all. */
export const knownConditions = (group: string | undefined): KnownCondition[] =>
  Object.entries(groups).flatMap(([handlerGroup, types]) =>
    group === undefined || group === handlerGroup
      ? Object.entries(types).map(([type, comparisonJsonSchema]) => ({ type, handlerGroup, comparisonJsonSchema }))
      : [],
  );

/** By kind, those that there is a channel of. */
export const knownActions = (channels: readonly ListedChannel[], types: readonly string[]): KnownAction[] =>
  [...Map.groupBy(channels, ({ type }) => type)]
    .filter(([type]) => types.length === 0 || types.includes(type))
    .map(([type, ofType]) => ({
      type,
      handlerGroup: 'notification' as const,
      configSchema: fields(
        {
          targetIdentifier: { enum: ofType.map(({ id }) => String(id)) },
          targetDisplay: text,
        },
        ['targetIdentifier'],
      ),
      dataSchema: { type: 'object' },
      integrations: ofType.map(({ id, name }) => ({ id: String(id), name })),
    }));
