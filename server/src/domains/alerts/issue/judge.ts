/**
 * Whether an issue makes a rule fire, and for which cause. A rule fires once for each cause.
 *
 * What **happened** to an issue (it is new, came back, …) is a cause by itself: the number of the entry in its activity.
 * What **holds** of it (so many events in a window) is a cause again each time that the rule may speak of the issue again, so
 * the firing before is part of it. Where all conditions are asked for, what happened counts for a while after it did.
 */
import type { Condition, IssueTrigger } from '../types.ts';
import { reasons } from '../../../base/texts/alerts.ts';
import type { Interval } from '../../../base/texts/intl.ts';

export type HappeningType = 'new_issue' | 'regression' | 'escalating' | 'unarchived';

export interface Happening {
  /** Of the entry in the activity. */
  readonly id: number;
  readonly types: readonly HappeningType[];
  /** ms since the epoch. */
  readonly at: number;
}

export interface DigestSighting {
  readonly digest: string;
  /** Of the watch that waited for it; undefined where the rule names the digest. */
  readonly watchId: number | undefined;
  readonly at: number;
}

export interface IssueFacts {
  readonly issueId: number;
  readonly happenings: readonly Happening[];
  readonly sightings: readonly DigestSighting[];
  /** By index of the condition: events, users, or events for each 100 sessions; undefined where it is not known to hold. */
  readonly measured: ReadonlyMap<number, number>;
  /** Id of the last firing of the rule for the issue; 0 for none. */
  readonly lastFiring: number;
}

export interface Cause {
  readonly cause: string;
  readonly why: string;
  readonly value: number | null;
  readonly threshold: number | null;
  /** When it happened; undefined: now. */
  readonly at: number | undefined;
  /** It happened, rather than holds: that it was throttled is worth a line in the history. */
  readonly isHappening: boolean;
}

/** At least so long what happened counts as a condition beside others. */
const rememberedMs = 3_600_000;

/** How far back what happened matters to a rule that asks for all of its conditions. */
export const memoryOf = ({ conditions }: IssueTrigger): number =>
  Math.max(rememberedMs, ...conditions.map((one) => ('minutes' in one ? one.minutes * 60_000 : 0)));

export const isHappeningType = (type: Condition['type']): type is HappeningType =>
  type === 'new_issue' || type === 'regression' || type === 'escalating' || type === 'unarchived';

export function judge({ match, conditions }: IssueTrigger, facts: IssueFacts): Cause[] {
  const each = conditions.map((condition, index) => causesOf(condition, index, facts));
  if (match === 'all') {
    if (each.some((causes) => !causes.length)) return [];
    // The latest of each: an issue that came back twice fires once for the second time.
    const latest = each.flatMap((causes) => causes.at(-1) ?? []);
    const happened = latest.filter((one) => one.isHappening);
    const measured = latest.find((one) => !one.isHappening);
    return [
      {
        cause: happened.length
          ? `all:${[...new Set(happened.map((one) => one.cause))].join('+')}`
          : (measured?.cause ?? ''),
        why: latest.map((one) => one.why).join('; '),
        value: measured?.value ?? null,
        threshold: measured?.threshold ?? null,
        at: undefined,
        isHappening: happened.length > 0,
      },
    ];
  }
  // Two conditions may be about the same entry, or hold at the same time.
  return [...Map.groupBy(each.flat(), (one) => one.cause).values()].flatMap(([first]) => first ?? []);
}

function causesOf(condition: Condition, index: number, facts: IssueFacts): Cause[] {
  const { type } = condition;
  if (isHappeningType(type)) {
    return facts.happenings
      .filter((one) => one.types.includes(type))
      .map(({ id, at }) => ({ ...bare, cause: `activity:${id}`, why: reasons[type], at, isHappening: true }));
  }
  if (type === 'watched_digest') {
    return facts.sightings
      .filter((one) => (condition.digest === null ? one.watchId !== undefined : one.digest === condition.digest))
      .map(({ digest, watchId, at }) =>
        watchId === undefined
          ? {
              ...bare,
              cause: `holds:${facts.issueId}:${facts.lastFiring}`,
              why: reasons.digest(digest),
              at,
              isHappening: false,
            }
          : {
              ...bare,
              cause: `watch:${watchId}:${digest}`,
              why: reasons.watchedDigest(digest),
              at,
              isHappening: true,
            },
      );
  }
  const value = facts.measured.get(index);
  const threshold = thresholdOf(condition);
  if (value === undefined || threshold === undefined || value < threshold) return [];
  const cause = `holds:${facts.issueId}:${facts.lastFiring}`;
  return [{ cause, why: measuredText(condition, value), value, threshold, at: undefined, isHappening: false }];
}

const bare = { value: null, threshold: null };

/** Undefined where a condition counts nothing. */
export function thresholdOf(condition: Condition): number | undefined {
  if ('count' in condition) return condition.count;
  return 'percent' in condition ? condition.percent : undefined;
}

/** `interval`: of the value, where it may be off by more than 1 %. */
export function measuredText(condition: Condition, value: number, interval?: Interval): string {
  if (condition.type === 'session_share') return reasons.sessions(value, condition.minutes, interval);
  if (!('minutes' in condition)) return '';
  if (condition.type === 'user_frequency') return reasons.users(value, condition.minutes);
  return reasons.events(value, condition.minutes, interval);
}

const typesOfActivity: Readonly<Record<string, HappeningType>> = {
  first_seen: 'new_issue',
  set_regression: 'regression',
  set_escalating: 'escalating',
  archived_condition_met: 'unarchived',
};

/** Entries of the activity that rules know. */
export const happeningActivities: readonly string[] = Object.keys(typesOfActivity);

/** What an entry means to rules. One that outgrew its forecast while it was archived also came back. */
export function typesOf(activity: string, data: Readonly<Record<string, unknown>>): HappeningType[] {
  const type = Object.hasOwn(typesOfActivity, activity) ? typesOfActivity[activity] : undefined;
  if (!type) return [];
  const cameBack = type === 'escalating' && typeof data['from'] === 'string' && data['from'].startsWith('archived');
  return cameBack ? [type, 'unarchived'] : [type];
}
