/** What of a project lies in the events store: events and kept items as envelopes, everything else row by row. */
import type { ItemToWrite } from '@culprit/envelope';
import { during, inProjects, type SqlPart } from '../../base/sql.ts';
import { columnsOf, type TableRows } from '../../base/tables/index.ts';
import type { ExactRange } from '../../base/time-range.ts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { Events } from '../../ports/events/events.ts';
import { payloadColumns, withPayloads } from '../../ports/events/payload-rows.ts';
import { type ReadRow, rowReader } from '../explore/index.ts';
import { envelopeRecord, jsonLine, jsonOf } from './records.ts';

export interface Asked {
  readonly projectId: number;
  readonly slug: string;
  readonly range: ExactRange;
  readonly signal: AbortSignal;
}

const pageBytes = 4_000_000;

/** How many records a page has: as many as make a few MB, by what those before were like; few at first. */
class Pace {
  #limit = 50;
  readonly limit = (): number => this.#limit;

  /** The records of a page, noted. */
  of(records: Uint8Array[]): Uint8Array[] {
    const bytes = records.reduce((sum, { length }) => sum + length, 0);
    if (records.length > 0)
      this.#limit = Math.max(10, Math.min(5_000, Math.floor((pageBytes * records.length) / bytes)));
    return records;
  }
}

const scopeOf = ({ projectId, range }: Asked, time: string, ...more: string[]): SqlPart[] => [
  inProjects([projectId]),
  during(range, time, 'asked'),
  { conditions: more, params: {} },
];

/** Each once, the oldest first, as issues begin with it; as it was symbolicated last. Performance problems are none: spans make them again. */
export async function* eventRecords(events: Events, asked: Asked): AsyncGenerator<Uint8Array[]> {
  const columns = ['event_id', ...payloadColumns.split(', ')];
  const reader = rowReader(
    events,
    {
      table: 'errors',
      time: 'timestamp',
      columns: ['event_id', 'group_hash', 'received_at'],
      selected: columns.map((name) => [name, name]),
      oldestFirst: true,
      scope: scopeOf(asked, 'timestamp', "issue_type = ''"),
    },
    asked.signal,
  );
  const pace = new Pace();
  for await (const page of reader.pages(pace.limit)) {
    const rows = page.map(({ values }) => ({
      event_id: String(values['event_id']),
      payload: String(values['payload']),
      payload_segment: Number(values['payload_segment']),
      payload_ordinal: Number(values['payload_ordinal']),
    }));
    const revised = await revisions(
      events,
      asked,
      rows.map((row) => row.event_id),
    );
    const whole = await withPayloads(events, rows);
    yield pace.of(
      whole.map(({ event_id: id, payload }) =>
        envelopeRecord({ event_id: id }, { header: { type: 'event' }, payload: revised.get(id) ?? payload }),
      ),
    );
  }
}

async function revisions(
  events: Events,
  { projectId, signal }: Asked,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await events.query<{ id: string; text: string }>(
    `SELECT event_id AS id, payload AS text FROM revisions
     WHERE project_id = {project:UInt64} AND event_id IN {ids:Array(String)}
     ORDER BY revised_at DESC LIMIT 1 BY event_id`,
    { project: projectId, ids: [...ids] },
    { signal },
  );
  return new Map(rows.map(({ id, text }) => [id, text]));
}

const itemColumns = ['item_type', 'outcome', 'event_id', 'headers', 'payload', 'blob_key', 'size_bytes'] as const;

/** Attachments, feedback, and items that no part shows yet. Those whose bytes are gone are left out. */
export async function* itemRecords(
  { events, blobs }: { readonly events: Events; readonly blobs: Blobs },
  asked: Asked,
): AsyncGenerator<Uint8Array[]> {
  const reader = rowReader(
    events,
    {
      table: 'items',
      time: 'received_at',
      columns: [...itemColumns],
      selected: itemColumns.map((name) => [name, name]),
      // What was refused is kept to be looked at, and would be refused again.
      oldestFirst: true,
      scope: scopeOf(asked, 'received_at', "outcome = 'accepted'"),
    },
    asked.signal,
  );
  for await (const page of reader.pages(() => 50)) {
    for (const { values } of page) {
      const item = await itemOf(values, blobs);
      const id = String(values['event_id']);
      if (item) yield [envelopeRecord(id ? { event_id: id } : {}, item)];
    }
  }
}

async function itemOf(values: ReadRow['values'], blobs: Blobs): Promise<ItemToWrite | undefined> {
  const key = String(values['blob_key']);
  const payload = key ? await blobs.get(key) : String(values['payload']);
  if (payload === undefined) return undefined;
  const said = jsonOf(String(values['headers']));
  const { length: _, ...header } = (typeof said === 'object' && said !== null ? said : {}) as Record<string, unknown>;
  return { header: { ...header, type: String(values['item_type']) }, payload };
}

/** Tables that are exported row by row, and the column by which they are read. */
export const rowTables = {
  spans: { time: 'started_at', isMerged: false },
  logs: { time: 'timestamp', isMerged: false },
  sessions: { time: 'minute', isMerged: true },
  outcomes: { time: 'minute', isMerged: true },
} as const satisfies Partial<Record<keyof TableRows, { time: string; isMerged: boolean }>>;

export type RowTable = keyof typeof rowTables;

/** Lines with the columns of the table's record, the project by its slug. */
export async function* tableRecords(events: Events, table: RowTable, asked: Asked): AsyncGenerator<Uint8Array[]> {
  const columns = columnsOf(table).filter(({ name }) => name !== 'project_id');
  const { time, isMerged } = rowTables[table];
  const isTime = new Set(columns.filter(({ kind }) => kind === 'millis' || kind === 'micros').map(({ name }) => name));
  const reader = rowReader(
    events,
    {
      table,
      isMerged,
      time,
      columns: columns.map(({ name }) => name),
      selected: columns.map(({ name, kind }) => [name, kind === 'hash' ? `toString(${name})` : name]),
      oldestFirst: true,
      scope: scopeOf(asked, time),
    },
    asked.signal,
  );
  const shown = ([name, value]: [string, unknown]): [string, unknown] =>
    isTime.has(name) ? [name, `${String(value).replace(' ', 'T')}Z`] : [name, value];
  const pace = new Pace();
  for await (const page of reader.pages(pace.limit)) {
    yield pace.of(
      page.map(({ values }) =>
        jsonLine({ project: asked.slug, ...Object.fromEntries(Object.entries(values).map(shown)) }),
      ),
    );
  }
}
