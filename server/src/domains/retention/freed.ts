/** What a change would let go of, before it is made: whole parts as measured, and rows as they are counted now. */
import type { RetentionClass } from '../../base/retention.ts';
import type { Events } from '../../ports/events/events.ts';
import { type Ages, longestOf } from './ages.ts';
import { bytesOf, type Going, goesBy, rowsOf, type Stored } from './goes.ts';
import { type AgeGroup, countOverdue, groupsOf } from './overdue.ts';
import type { StoredReport } from './stored.ts';

interface Looked {
  readonly events: Pick<Events, 'query'>;
  /** As it was measured last. */
  readonly report: StoredReport | undefined;
  readonly now: number;
}

const storedOf = (report: StoredReport | undefined, name: RetentionClass): Stored =>
  report?.classes[name] ?? { units: [] };

/** About: as if all rows of the class were of one size. */
const bytesAs = (rows: number, stored: Stored): number => (rows * bytesOf(stored)) / Math.max(1, rowsOf(stored));

/** `before` is of whole parts; null where only rows go. `held`: projects of which everything stays. */
export async function freedBy(
  { events, report, now }: Looked,
  name: RetentionClass,
  {
    ages,
    limitBytes,
    held,
  }: { readonly ages: Ages; readonly limitBytes: number | null; readonly held: readonly number[] },
): Promise<Going> {
  const stored = storedOf(report, name);
  // Parts have rows of all projects: while one is held, none goes as a whole. What is not measured is counted.
  const isHeld = held.length > 0;
  const engineDays = isHeld || !report ? null : longestOf(ages);
  const going = goesBy(stored, { days: engineDays ?? Infinity, limitBytes: isHeld ? null : limitBytes }, now);
  const rows = await countOverdue(events, name, groupsOf(ages, held), { engineDays, since: going.before, now });
  return { ...going, bytes: going.bytes + bytesAs(rows, stored), rows: going.rows + rows };
}

/** Of one project, once its class is kept for so many days. */
export async function freedOf(
  { events, report, now }: Looked,
  name: RetentionClass,
  projectId: number,
  days: number,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const group: AgeGroup = { days, projects: [projectId], isOthers: false };
  const rows = await countOverdue(events, name, [group], { engineDays: null, since: null, now });
  return { rows, bytes: bytesAs(rows, storedOf(report, name)) };
}
