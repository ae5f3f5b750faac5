/**
 * Rows that are past their age in parts that stay, since a project keeps its own for longer. They go in whole weeks: a part
 * is then touched once for each age, however often one looks.
 */
import { tableRecords } from '../../base/tables/index.ts';
import type { RetentionClass } from '../../base/retention.ts';
import type { Events, QueryParams } from '../../ports/events/events.ts';
import type { Ages } from './ages.ts';
import { mondayOf } from './stored.ts';

/** Projects of one age. */
export interface AgeGroup {
  readonly days: number;
  readonly projects: readonly number[];
  /** All but those that are named. */
  readonly isOthers: boolean;
}

export interface Overdue {
  /** In parentheses. */
  readonly condition: string;
  readonly params: QueryParams;
}

const dayMs = 86_400_000;

/** `held`: projects of which everything stays. */
export function groupsOf({ days, own }: Ages, held: readonly number[] = []): AgeGroup[] {
  const isHeld = new Set(held);
  const free = [...own].filter(([projectId]) => !isHeld.has(projectId));
  const byDays = Map.groupBy(free, ([, own]) => own);
  return [
    { days, projects: [...new Set([...own.keys(), ...held])], isOthers: true },
    ...[...byDays].map(([days, projects]) => ({ days, projects: projects.map(([id]) => id), isOthers: false })),
  ];
}

/** `engineDays`: what is as old goes without us; null where nothing does. Undefined where that is all there is. */
export function overdueOf(
  age: string,
  groups: readonly AgeGroup[],
  { engineDays, now }: { readonly engineDays: number | null; readonly now: number },
): Overdue | undefined {
  const shorter = groups.filter(({ days }) => engineDays === null || days < engineDays);
  if (shorter.length === 0) return undefined;
  const params: Record<string, number[]> = {};
  const conditions = shorter.map(({ days, projects, isOthers }, index) => {
    const old = isBefore(age, mondayOf(now - days * dayMs));
    if (isOthers && projects.length === 0) return old;
    params[`projects${index}`] = [...projects];
    return `${old} AND project_id ${isOthers ? 'NOT IN' : 'IN'} {projects${index}:Array(UInt64)}`;
  });
  return { condition: `(${conditions.map((one) => `(${one})`).join(' OR ')})`, params };
}

/**
 * Of days and moments alike. By a moment of whole seconds the engine's index leaves out what lies within the last one
 * before it, though the comparison itself does not.
 */
const isBefore = (age: string, at: number): string => `${age} < fromUnixTimestamp64Milli(${at}, 'UTC')`;

/** Nobody waits long for it: weeks that are kept are left out by the engine, unread. */
const patient = { maxExecutionSeconds: 60 };

/** How many rows of the class would go that way. `since`: what is older goes with its part. */
export async function countOverdue(
  events: Pick<Events, 'query'>,
  name: RetentionClass,
  groups: readonly AgeGroup[],
  {
    engineDays,
    since,
    now,
  }: { readonly engineDays: number | null; readonly since: number | null; readonly now: number },
): Promise<number> {
  let rows = 0;
  for (const [table, { retention, age, filledBy }] of Object.entries(tableRecords)) {
    // Views hold what is counted of rows that are counted themselves.
    if (retention !== name || filledBy === 'view') continue;
    const overdue = overdueOf(age, groups, { engineDays, now });
    if (!overdue) return 0;
    const newer = since === null ? '' : ` AND NOT (${isBefore(age, since)})`;
    const [row] = await events.query<{ count: number }>(
      `SELECT count() AS count FROM ${table} WHERE ${overdue.condition}${newer}`,
      overdue.params,
      patient,
    );
    rows += row?.count ?? 0;
  }
  return rows;
}
