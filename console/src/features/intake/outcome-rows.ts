/** Outcomes as the health page shows them: stacked series per outcome, and a table by outcome, category and reason. Pure. */
import * as m from '../../messages/charts.ts';
import type { ChartToken } from '../charts/series.ts';
import type { Outcomes } from './queries.ts';

export type OutcomeKind = Outcomes['groups'][number]['outcome'];

/** From good to bad; the order of the stack and of the legend. */
export const outcomeKinds: readonly {
  readonly kind: OutcomeKind;
  readonly label: string;
  readonly token: ChartToken;
}[] = [
  { kind: 'accepted', label: m.outcomes.accepted, token: '--series-1' },
  { kind: 'filtered', label: m.outcomes.filtered, token: '--text-faint' },
  {
    kind: 'client_discard',
    label: m.outcomes.client_discard,
    token: '--series-4',
  },
  { kind: 'rate_limited', label: m.outcomes.rate_limited, token: '--series-7' },
  { kind: 'invalid', label: m.outcomes.invalid, token: '--level-error' },
];

export interface OutcomeRow {
  readonly outcome: OutcomeKind;
  readonly category: string;
  readonly reason: string;
  readonly total: number;
}

/** One row per outcome, category and reason over all projects, the largest first within each outcome. */
export function outcomeRows(groups: Outcomes['groups']): OutcomeRow[] {
  const rows = new Map<string, OutcomeRow>();
  for (const group of groups) {
    const key = `${group.outcome}\n${group.category}\n${group.reason}`;
    rows.set(key, {
      outcome: group.outcome,
      category: group.category,
      reason: group.reason,
      total: (rows.get(key)?.total ?? 0) + group.total,
    });
  }
  const rank = (kind: OutcomeKind): number => outcomeKinds.findIndex((each) => each.kind === kind);
  return [...rows.values()]
    .filter((row) => row.total > 0)
    .toSorted((a, b) => rank(a.outcome) - rank(b.outcome) || b.total - a.total || a.category.localeCompare(b.category));
}

export interface OutcomeStack {
  readonly start: number;
  readonly total: number;
  /** In the order of `outcomeKinds`. */
  readonly parts: readonly number[];
}

/** One stack per bucket of time. */
export function outcomeStacks(outcomes: Pick<Outcomes, 'groups' | 'intervals'>): OutcomeStack[] {
  return outcomes.intervals.map((interval, index) => {
    const parts = outcomeKinds.map(({ kind }) =>
      outcomes.groups.reduce((sum, group) => sum + (group.outcome === kind ? (group.series[index] ?? 0) : 0), 0),
    );
    return { start: Date.parse(interval), total: parts.reduce((sum, part) => sum + part, 0), parts };
  });
}
