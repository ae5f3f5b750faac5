/** Conditions and filters of Sentry's clients as those of an issue rule: what happens, and a query. */
import { CodedError } from '../../base/errors.ts';
import { filterText, keyText, literal, termText } from '@culprit/search';
import { clientRules as texts } from '../../base/texts/client-alerts.ts';
import type { Condition, IssueTrigger } from '../../domains/alerts/index.ts';
import type { ConditionRequest } from './clients-changes-contract.ts';
import { comparisonOf, conditionTypes } from './clients-shapes.ts';
import { type Json, object, text } from '../shared/read.ts';

export interface Read {
  readonly trigger: IssueTrigger;
  readonly query: string;
}

export interface Group {
  readonly logicType: 'any' | 'any-short' | 'all' | 'none';
  readonly conditions: readonly ConditionRequest[];
}

/**
 * `kept`: conditions of the rule `id` as it is, which clients send back as they read them. `unsaid`: what happens, where
 * nothing is sent of it. Throws `INPUT_INVALID`.
 */
export function readConditions(
  triggers: Group,
  filter: Group,
  kept: readonly Condition[] = [],
  id = '',
  unsaid?: IssueTrigger,
): Read {
  const parts = [
    ...partsOf(triggers, 'triggers', kept, id).map((one) => ({ ...one, of: triggers })),
    ...partsOf(filter, 'actionFilters', kept, id).map((one) => ({ ...one, of: filter })),
  ];
  const conditions = parts.flatMap(({ condition, of }) => (condition ? [{ condition, of }] : []));
  if (!conditions.length && unsaid) return { trigger: unsaid, query: queryOf(parts, filter) };
  if (!conditions.length) refuse(texts.noCondition);
  const starting = conditions.filter(({ of }) => of === triggers);
  const frequent = conditions.filter(({ of }) => of === filter);
  const isAll = (of: Group, count: number): boolean => of.logicType === 'all' || count === 1;
  const mixed = starting.length > 0 && frequent.length > 0;
  if (mixed && !isAll(triggers, starting.length)) refuse(texts.mixedConditions);
  const hasQuery = parts.some(({ query }) => query !== undefined);
  if (frequent.length > 0 && isAny(filter) && (mixed || hasQuery)) refuse(texts.anyQuery('actionFilters'));
  const match = mixed || (frequent.length ? filter : triggers).logicType === 'all' ? 'all' : 'any';
  return {
    trigger: { match, conditions: conditions.map(({ condition }) => condition) },
    query: queryOf(parts, filter),
  };
}

const isAny = ({ logicType, conditions }: Group): boolean => logicType !== 'all' && conditions.length > 1;

function queryOf(parts: readonly Part[], filter: Group): string {
  const queries = parts.flatMap(({ query }) => query || []);
  if (queries.length < 2) return queries.join('');
  if (isAny(filter)) return `(${queries.join(' OR ')})`;
  return queries.map((one) => (/\sOR\s/i.test(one) ? `(${one})` : one)).join(' ');
}

interface Part {
  readonly condition?: Condition;
  readonly query?: string;
}

function partsOf({ logicType, conditions }: Group, name: string, kept: readonly Condition[], id: string): Part[] {
  if (logicType === 'none' && conditions.length) refuse(texts.noneLogic(name));
  return conditions.map((one, index) => {
    const at = `${name}.conditions[${index}]`;
    if (one.type === 'new_high_priority_issue') {
      if (conditions.length > 1) refuse(texts.alone(at, one.type));
      return { condition: { type: 'new_issue' }, query: termText('issue.priority', 'high') };
    }
    const filter = filters[one.type];
    if (filter) return { query: filter(one.comparison, at) };
    // Two kinds of ours have one name there.
    const before = kept.find((_, place) => one.id === `${id}-${place + 1}`);
    if (before && conditionTypes[before.type] === one.type && same(comparisonOf(before), one.comparison)) {
      return { condition: before };
    }
    return { condition: happening(one, at) };
  });
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const minutesOf: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440 };

/** `1min`, `15min`, `1hr`, `1h`, `1d`. */
function intervalOf(value: unknown, at: string): number {
  const [, count, unit = ''] = /^(\d{1,4})(m|h|d)(?:in|r)?$/.exec(text(value) ?? '') ?? [];
  const minutes = Number(count) * (minutesOf[unit] ?? 0);
  return minutes >= 1 && minutes <= 1440 ? minutes : refuse(texts.interval(at));
}

function frequency(comparison: unknown, at: string): { readonly value: number; readonly minutes: number } {
  const { value, interval } = object(comparison) ?? {};
  const amount = Number(text(value) ?? NaN);
  if (!(amount > 0 && amount <= 100_000_000)) refuse(texts.amount(at));
  return { value: amount, minutes: intervalOf(interval, at) };
}

function happening({ type, comparison }: ConditionRequest, at: string): Condition {
  switch (type) {
    case 'first_seen_event':
      return { type: 'new_issue' };
    case 'regression_event':
      return { type: 'regression' };
    case 'reappeared_event':
      return { type: 'escalating' };
    case 'event_frequency_count':
    case 'event_unique_user_frequency_count': {
      const { value, minutes } = frequency(comparison, at);
      return {
        type: type === 'event_frequency_count' ? 'event_frequency' : 'user_frequency',
        count: Math.ceil(value),
        minutes,
      };
    }
    case 'percent_sessions_count': {
      const { value, minutes } = frequency(comparison, at);
      return { type: 'session_share', percent: Math.min(value, 1000), minutes };
    }
    case 'watched_digest': {
      const digest = text(comparison) ?? '';
      return { type, digest: /^\d{1,20}$/.test(digest) ? digest : null };
    }
    default:
      return refuse(texts.condition(at, type, [...new Set(Object.values(conditionTypes)), ...Object.keys(filters)]));
  }
}

const levelNames = ['sample', 'debug', 'info', 'warning', 'error', 'fatal'];
const units: Readonly<Record<string, string>> = { minute: 'm', hour: 'h', day: 'd', week: 'w' };

/** Attributes that have another name here. */
const attributes: Readonly<Record<string, string>> = {
  'exception.type': 'error.type',
  'exception.value': 'error.value',
  'stacktrace.filename': 'stack.filename',
  'stacktrace.abs_path': 'stack.abs_path',
  'stacktrace.module': 'stack.module',
  'stacktrace.package': 'stack.package',
  'stacktrace.code': 'message',
  type: 'event.type',
};

/** What a query would take for the issue's own. */
const ofIssues =
  /^(?:is|has|age|issue|assigned|bookmarks|subscribed|firstSeen|lastSeen|timesSeen|userCount|firstRelease)$/;

const filters: Readonly<Record<string, (comparison: unknown, at: string) => string>> = {
  query: (comparison) => text(comparison) ?? '',
  level(comparison, at) {
    const { level, match } = object(comparison) ?? {};
    const given = text(level) ?? '';
    const place = /^\d+$/.test(given) ? Number(given) / 10 : levelNames.indexOf(given);
    if (!levelNames[place]) refuse(texts.comparison(at, '{"level": 40, "match": "gte"}'));
    const names = match === 'gte' ? levelNames.slice(place) : match === 'lte' ? levelNames.slice(0, place + 1) : [];
    return names.length > 1 ? `level:[${names.join(', ')}]` : termText('level', levelNames[place] ?? '');
  },
  tagged_event(comparison, at) {
    const key = text(object(comparison)?.['key']) ?? '';
    return matching(ofIssues.test(key) ? `tags[${key}]` : key, object(comparison), at);
  },
  event_attribute(comparison, at) {
    const name = text(object(comparison)?.['attribute']) ?? '';
    return matching(attributes[name] ?? name, object(comparison), at);
  },
  latest_release: () => 'release:latest',
  age_comparison(comparison, at) {
    const { comparison_type: type, value, time } = object(comparison) ?? {};
    const unit = units[text(time) ?? ''];
    const amount = Number(text(value) ?? NaN);
    if (!unit || !(amount > 0))
      return refuse(texts.comparison(at, '{"comparison_type": "newer", "value": 3, "time": "day"}'));
    return `age:${type === 'older' ? '+' : '-'}${Math.ceil(amount)}${unit}`;
  },
  issue_occurrences(comparison, at) {
    const value = Number(text(object(comparison)?.['value'] ?? comparison) ?? NaN);
    return value >= 0 ? `timesSeen:>=${Math.ceil(value)}` : refuse(texts.comparison(at, '{"value": 10}'));
  },
};

function matching(named: unknown, comparison: Json | null, at: string): string {
  const key = text(named) ?? '';
  const value = text(comparison?.['value']) ?? '';
  const match = text(comparison?.['match']) ?? 'eq';
  if (key === '') return refuse(texts.comparison(at, '{"key": "plan", "match": "eq", "value": "pro"}'));
  switch (match) {
    case 'eq':
      return termText(key, value);
    case 'ne':
      return `!${termText(key, value)}`;
    case 'co':
      return filterText(key, `*${literal(value)}*`);
    case 'nc':
      return `!${filterText(key, `*${literal(value)}*`)}`;
    case 'sw':
      return filterText(key, `${literal(value)}*`);
    case 'nsw':
      return `!${filterText(key, `${literal(value)}*`)}`;
    case 'ew':
      return filterText(key, `*${literal(value)}`);
    case 'new':
      return `!${filterText(key, `*${literal(value)}`)}`;
    case 'is':
      return `has:${keyText(key)}`;
    case 'ns':
      return `!has:${keyText(key)}`;
    case 'in':
      return `(${each(key, value).join(' OR ')})`;
    case 'nin':
      return each(key, value)
        .map((term) => `!${term}`)
        .join(' ');
    default:
      return refuse(texts.match(at));
  }
}

const each = (key: string, values: string): string[] => values.split(',').map((one) => termText(key, one.trim()));

function refuse(what: string): never {
  throw new CodedError('INPUT_INVALID', [what]);
}
