/** Events, spans, logs and whatever else of a project lies in the events store, with its payloads and kept items. */
import { insertedTables, type TableRows } from '../../../../base/tables/index.ts';
import type { Blobs } from '../../../../ports/blobs/blobs.ts';
import { carryRows, freezeRows } from '../../../../ports/events/carry-rows.ts';
import type { Events } from '../../../../ports/events/events.ts';
import { adoptSegments } from '../../../../ports/payloads/adopt.ts';
import { copyBlob } from './artifacts.ts';

export interface Telemetry {
  readonly from: { readonly events: Events; readonly blobs: Blobs };
  readonly to: { readonly events: Events; readonly blobs: Blobs };
  readonly projectId: number;
  readonly toProjectId: number;
  /** Of this run. */
  readonly token: string;
  readonly onTable: (table: string) => void;
}

export interface MovedTelemetry {
  /** Rows by table. */
  readonly rows: Readonly<Partial<Record<keyof TableRows, number>>>;
  /** ms since the epoch; null for none. */
  readonly newestEvent: number | null;
}

export async function moveTelemetry(telemetry: Telemetry): Promise<MovedTelemetry> {
  const { from, to, projectId, toProjectId, token, onTable } = telemetry;
  await freezeRows(from.events, insertedTables);
  const segments = await movePayloads(telemetry);
  await moveItems(telemetry);
  const rows: Partial<Record<keyof TableRows, number>> = {};
  for (const table of insertedTables) {
    onTable(table);
    rows[table] = await carryRows({
      from: from.events,
      to: to.events,
      table,
      projectId,
      instead: {
        project_id: `toUInt64(${toProjectId})`,
        ...(table === 'errors' && segments.instead),
        ...items(telemetry, table),
      },
      ...(table === 'errors' && segments.unless !== undefined && { unless: segments.unless }),
      token,
    });
  }
  const [newest] = await from.events.query<{ at: number; rows: number }>(
    'SELECT toUnixTimestamp64Milli(max(timestamp)) AS at, count() AS rows FROM errors WHERE project_id = {project:UInt64}',
    { project: projectId },
  );
  return { rows, newestEvent: newest && newest.rows > 0 ? newest.at : null };
}

const numbers = (values: readonly number[]): string => `[${values.join(', ')}]`;

/** What columns of `errors` say of where payloads lie then, in SQL. */
async function movePayloads({ from, to, projectId }: Telemetry) {
  const [fromDir, toDir] = [from.events.address.payloadsDir, to.events.address.payloadsDir];
  const { payloads } = from.events;
  if (fromDir === undefined || toDir === undefined || !payloads) throw new Error('both stores are on this machine');
  const rows = await from.events.query<{ segment: number; ordinals: number[] }>(
    `SELECT payload_segment AS segment, groupArray(payload_ordinal) AS ordinals FROM errors
     WHERE project_id = {project:UInt64} AND payload_segment != 0 GROUP BY segment ORDER BY segment`,
    { project: projectId },
    { maxExecutionSeconds: 300 },
  );
  const wanted = new Map<number, Set<number>>();
  const erased: [number, number][] = [];
  for (const { segment, ordinals } of rows) {
    const are = await payloads.areErased(ordinals.map((ordinal) => ({ segment, ordinal })));
    wanted.set(segment, new Set(ordinals.filter((_, index) => are[index] !== true)));
    for (const [index, ordinal] of ordinals.entries()) if (are[index] === true) erased.push([segment, ordinal]);
  }
  const adopted = await adoptSegments(fromDir, toDir, wanted);
  const was = numbers(adopted.map((one) => one.from));
  const is = numbers(adopted.map((one) => one.to));
  return {
    instead: {
      ...(adopted.length > 0 && {
        payload_segment: `transform(t.payload_segment, CAST(${was}, 'Array(UInt64)'), CAST(${is}, 'Array(UInt64)'), t.payload_segment)`,
      }),
    },
    // Nobody sees them any more, and their rows are about to go.
    unless:
      erased.length > 0
        ? `(t.payload_segment, t.payload_ordinal) IN (${erased.map(([segment, ordinal]) => `(${segment}, ${ordinal})`).join(', ')})`
        : undefined,
  };
}

/** Kept items lie under their day and project. */
const prefixPattern = (projectId: number): string => `^items/([^/]+)/${projectId}/`;

const items = ({ projectId, toProjectId }: Telemetry, table: string): Readonly<Record<string, string>> =>
  table === 'items'
    ? { blob_key: `replaceRegexpOne(t.blob_key, '${prefixPattern(projectId)}', 'items/\\\\1/${toProjectId}/')` }
    : {};

async function moveItems({ from, to, projectId, toProjectId }: Telemetry): Promise<void> {
  const own = new RegExp(prefixPattern(projectId));
  const pageRows = 5_000;
  for (let after = ''; ;) {
    const keys = await from.events.query<{ key: string }>(
      `SELECT DISTINCT blob_key AS key FROM items
       WHERE project_id = {project:UInt64} AND blob_key > {after:String} ORDER BY key LIMIT ${pageRows}`,
      { project: projectId, after },
      { maxExecutionSeconds: 300 },
    );
    for (const { key } of keys) await copyBlob(from.blobs, to.blobs, key, key.replace(own, `items/$1/${toProjectId}/`));
    const last = keys.at(-1);
    if (!last || keys.length < pageRows) return;
    after = last.key;
  }
}
