/** At most so many events of an issue are stored in each minute or hour; the others are counted. */
export const limitPeriods = ['minute', 'hour'] as const;
export type LimitPeriod = (typeof limitPeriods)[number];

export interface EventLimit {
  /** At least one: it stands for the others. */
  readonly events: number;
  readonly per: LimitPeriod;
}

/** More than that of one issue nobody reads. */
export const mostLimitedEvents = 100_000;

export const periodMs: Readonly<Record<LimitPeriod, number>> = { minute: 60_000, hour: 3_600_000 };
