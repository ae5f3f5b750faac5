/**
 * Rows of one project from one embedded store into another, as the blocks in which they lie: nothing of them is read on
 * the way but what is told otherwise. Views of the target make of them what they make of any rows.
 */
import { CodedError } from '../../base/errors.ts';
import { columnsOf, type TableRows } from '../../base/tables/index.ts';
import type { Events, EventsAddress } from './events.ts';

export interface CarriedRows {
  readonly from: Events;
  readonly to: Events;
  readonly table: keyof TableRows;
  readonly projectId: number;
  /** What stands in a column instead, in SQL on the row `t`. */
  readonly instead: Readonly<Record<string, string>>;
  /** Of rows that stay behind. */
  readonly unless?: string;
  /** Of this run: a stretch that is sent twice is stored once. */
  readonly token: string;
}

/** Of a part; what is in memory at once. */
const stretchRows = 10_000;
const waitMs = 600_000;

/** Nothing of the store changes from then on: what was to be deleted is, and parts stay as they are. */
export async function freezeRows(events: Events, tables: readonly string[]): Promise<void> {
  for (const deadline = Date.now() + waitMs; ;) {
    const left = await events.query<{ id: string }>(
      `SELECT mutation_id AS id FROM system.mutations
       WHERE database = currentDatabase() AND NOT is_done AND NOT is_killed`,
    );
    if (left.length === 0) break;
    if (Date.now() > deadline)
      throw new CodedError('ENGINE_UNAVAILABLE', [], { cause: new Error('changes take long') });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  for (const table of tables) await events.command(`SYSTEM STOP MERGES ${table}`);
}

/** Resolves to how many there were. `from` is frozen. */
export async function carryRows({ from, to, table, projectId, instead, unless, token }: CarriedRows): Promise<number> {
  const names = columnsOf(table).map(({ name }) => name);
  const values = names.map((name) => `${instead[name] ?? `t.${name}`} AS ${name}`).join(', ');
  const of = `t.project_id = ${projectId}${unless === undefined ? '' : ` AND NOT (${unless})`}`;
  const parts = await from.query<{ part: string; first: number; last: number; rows: number }>(
    `SELECT t._part AS part, min(t._part_offset) AS first, max(t._part_offset) AS last, count() AS rows
     FROM ${table} AS t WHERE ${of} GROUP BY part ORDER BY part`,
    {},
    { maxExecutionSeconds: 300 },
  );
  for (const { part, first, last, rows } of parts) {
    for (let at = first; at <= last; at += stretchRows) {
      const block = await ask(from.address, {
        query: `SELECT ${values} FROM ${table} AS t
            WHERE ${of} AND t._part = '${part}' AND t._part_offset >= ${at} AND t._part_offset < ${at + stretchRows}
            ORDER BY t._part_offset`,
        default_format: 'Native',
      });
      if (block.length === 0) continue;
      await to.insertBlock(table, { columns: names, rows, bytes: block }, `${token}.${table}.${part}.${at}`);
    }
  }
  return parts.reduce((sum, { rows }) => sum + rows, 0);
}

async function ask(
  { url, username, password, database }: EventsAddress,
  params: Readonly<Record<string, string>>,
): Promise<Buffer<ArrayBuffer>> {
  const search = new URLSearchParams({ database, wait_end_of_query: '1', ...params });
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const response = await fetch(`${url}/?${search}`, {
    method: 'POST',
    headers: { authorization },
    signal: AbortSignal.timeout(waitMs),
  }).catch((cause: unknown) => {
    throw new CodedError('ENGINE_UNAVAILABLE', [], { cause });
  });
  const answer = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new CodedError('ENGINE_UNAVAILABLE', [], { cause: new Error(answer.toString().trim()) });
  return answer;
}
