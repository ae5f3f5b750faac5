/** What is stored of a person, as JSON Lines: a row a line, with the kind of data that it is. */
import { payloadColumns, type PayloadColumns, withPayloads } from '../../ports/events/payload-rows.ts';
import { hashed, type TableShape } from './keys.ts';
import { conditionOf } from './match.ts';
import { thorough } from './rows.ts';
import { type RunOptions, soughtFor, type Stores } from './run.ts';
import { findFeedback } from './state-texts.ts';

const rowsAtOnce = 2_000;
/** Larger files are named, not included. */
const mostFileBytes = 8 * 2 ** 20;

const line = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);

/** Tables that repeat what others have. */
const left = new Set(['segments', 'error_texts', 'issue_hours', 'issue_ranks', 'issue_lives']);

export async function* personLines(stores: Stores, options: RunOptions): AsyncGenerator<Uint8Array> {
  const { about, search, signal } = options;
  for (const shape of search.shapes) {
    if (left.has(shape.table)) continue;
    for await (const row of rowsOf(stores, options, shape)) yield line({ kind: shape.table, data: row });
  }
  const feedback = await findFeedback(stores.state, options, about, soughtFor(about));
  for (const { id } of feedback) {
    signal.throwIfAborted();
    const row = await stores.state.db.selectFrom('feedback').selectAll().where('id', '=', id).executeTakeFirst();
    if (row) yield line({ kind: 'feedback', data: row });
  }
}

async function* rowsOf(
  { events, blobs }: Stores,
  { about, search, signal }: RunOptions,
  shape: TableShape,
): AsyncGenerator<object> {
  const { all, params } = conditionOf(about, shape, search.projectIds);
  const key = hashed(search.key, shape.key);
  const isErrors = shape.table === 'errors';
  const columns = new Set([...shape.key, ...shape.texts, ...shape.lists, ...shape.maps]);
  for (const column of payloadColumns.split(', ')) if (isErrors) columns.add(column);
  let after = '0';
  for (;;) {
    const rows = await events.query<PayloadColumns & Record<string, unknown> & { readonly rowKey: string }>(
      `SELECT toString(${key}) AS rowKey, ${[...columns].join(', ')} FROM ${shape.table}
       WHERE (${all}) AND ${key} > {after:UInt64} ORDER BY ${key} LIMIT ${rowsAtOnce}`,
      { ...params, after },
      { ...thorough, signal },
    );
    const whole = isErrors ? await withPayloads({ payloads: events.payloads }, rows) : rows;
    for (const { rowKey: _, ...row } of whole) {
      const blob = shape.table === 'items' ? String(row['blob_key'] ?? '') : '';
      const file = blob === '' ? undefined : await blobs.get(blob);
      yield file && file.length <= mostFileBytes ? { ...row, file: Buffer.from(file).toString('base64') } : row;
    }
    if (rows.length < rowsAtOnce) return;
    after = rows.at(-1)?.rowKey ?? after;
  }
}
