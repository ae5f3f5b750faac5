/** Limits as the state store has them. */
import type { Selectable } from 'kysely';
import { type EventLimit, type LimitPeriod, limitPeriods } from '../../../base/event-limit.ts';
import type { IssueLimitTable } from '../../../ports/state/limit-tables.ts';
import type { LimitState, Waiting } from './decide.ts';

export type LimitRow = Selectable<IssueLimitTable>;

export const toPeriod = (per: string): LimitPeriod => limitPeriods.find((one) => one === per) ?? 'hour';

export const toWaiting = (text: string): readonly Waiting[] => JSON.parse(text) as readonly Waiting[];

export const toLimitState = ({ events, per, period, kept, waiting }: LimitRow): LimitState => ({
  events,
  per: toPeriod(per),
  period,
  kept,
  waiting: toWaiting(waiting),
});

/** Null where none is set. */
export const toLimit = ({ events, per }: Pick<LimitRow, 'events' | 'per'>): EventLimit | null =>
  events === null ? null : { events, per: toPeriod(per) };
