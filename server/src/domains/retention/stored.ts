/** What is stored of each class, by the parts that go as a whole: from the engine's list of parts and sizes of files. */
import { eachClass, type RetentionClass } from '../../base/retention.ts';
import { tableRecords } from '../../base/tables/index.ts';
import { keptDayOf, keptDays as daysOfBlobs } from '../../ports/blobs/retention.ts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { Events } from '../../ports/events/events.ts';
import { layoutOf } from '../../ports/events/layout.ts';
import type { State } from '../../ports/state/state.ts';
import type { Stored, Unit } from './goes.ts';

export interface StoredReport {
  /** When it was measured, ms since the epoch. */
  readonly at: number;
  readonly classes: Readonly<Record<RetentionClass, Stored>>;
}

export interface StoredIn {
  readonly events: Events;
  readonly blobs: Blobs;
}

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** The epoch was a Thursday. */
const firstMonday = -3 * dayMs;

/** The Monday before, or of, a moment; of UTC, as the engine's weeks are. */
export const mondayOf = (at: number): number => Math.floor((at - firstMonday) / weekMs) * weekMs + firstMonday;

export async function measureStored({ events, blobs }: StoredIn, now: number): Promise<StoredReport> {
  const units = eachClass((): Map<string, Unit> => new Map());
  const add = (name: RetentionClass, unit: Unit): void => {
    const key = `${unit.before} ${unit.bySize}`;
    const { bytes = 0, rows = 0 } = units[name].get(key) ?? {};
    units[name].set(key, { ...unit, bytes: bytes + unit.bytes, rows: rows + unit.rows });
  };
  for (const { table, partition, bytes, rows } of await partitionsOf(events)) {
    const record = tableRecords[table];
    const end = record && endOf(partition);
    // Views hold what is counted of rows that are counted themselves.
    if (record && end !== undefined)
      add(record.retention, {
        before: end,
        bytes,
        rows: record.filledBy === 'view' ? 0 : rows,
        bySize: isWeek(partition),
      });
  }
  for (const [day, bytes] of (await events.payloads?.daySizes()) ?? []) {
    const at = Date.parse(day);
    // A day's last segment has what came after midnight: it goes with the week of the day after.
    if (Number.isFinite(at)) add('errors', { before: mondayOf(at + dayMs) + weekMs, bytes, rows: 0, bySize: true });
  }
  for (const day of await daysOfBlobs(blobs)) {
    let bytes = 0;
    for await (const entry of blobs.list(keptDayOf(day))) bytes += entry.bytes;
    add('attachments', { before: Date.parse(day) + dayMs, bytes, rows: 0, bySize: true });
  }
  const inOrder = (name: RetentionClass): Unit[] => [...units[name].values()].sort((a, b) => a.before - b.before);
  return { at: now, classes: eachClass((name) => ({ units: inOrder(name) })) };
}

interface Partition {
  readonly table: string;
  readonly partition: string;
  readonly bytes: number;
  readonly rows: number;
}

export function partitionsOf(events: Pick<Events, 'query' | 'address'>): Promise<Partition[]> {
  const { rows: database, system } = layoutOf(events.address);
  return events.query<Partition>(
    `SELECT table, partition_id AS partition, sum(bytes_on_disk) AS bytes, sum(rows) AS rows FROM ${system('parts')}
     WHERE database = {database:String} AND active GROUP BY table, partition ORDER BY table, partition`,
    { database },
  );
}

/** `20261123`, its Monday; of a month `202611`. */
export const isWeek = (partition: string): boolean => /^\d{8}$/.test(partition);

/** Undefined of what is cut otherwise. */
export function endOf(partition: string): number | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)?$/.exec(partition) ?? [];
  if (year === undefined || month === undefined) return undefined;
  if (day === undefined) return Date.UTC(Number(year), Number(month), 1);
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) + weekMs;
}

const rowId = 1;

export async function noteStored({ db }: Pick<State, 'db'>, report: StoredReport): Promise<void> {
  const row = { at: report.at, report: JSON.stringify(report) };
  await db
    .insertInto('retention_report')
    .values({ id: rowId, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** As it was measured last; undefined until then. */
export async function readStored({ db }: Pick<State, 'db'>): Promise<StoredReport | undefined> {
  const row = await db.selectFrom('retention_report').select('report').where('id', '=', rowId).executeTakeFirst();
  return row && (JSON.parse(row.report) as StoredReport);
}
