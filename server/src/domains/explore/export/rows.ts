/** Rows of a table as they are stored, for data that Explore has no language for: what there is follows from its record. */
import { CodedError } from '../../../base/errors.ts';
import { during, inEnvironments, inProjects } from '../../../base/sql.ts';
import { exportedTables, type ExportedTableName, itemTable } from '../../../base/tables/index.ts';
import type { ExactRange } from '../../../base/time-range.ts';
import type { Events } from '../../../ports/events/events.ts';
import type { ExploreProject } from '../types.ts';
import { exports as texts } from '../../../base/texts/requests.ts';
import { type ExportFormat, type ExportRow, headOf, lineOf } from './csv.ts';
import { type ReadRow, rowReader, type RowSource } from './row-pages.ts';
import { type ExportProgress, maxRows, pageLimit } from './write.ts';

export interface RowsAsked {
  readonly dataset: ExportedTableName;
  /** Columns; none: all. `project` is the slug. */
  readonly field: readonly string[];
  readonly query: string;
  readonly sort: readonly string[];
  readonly environment: readonly string[];
}

interface RowsScope {
  readonly projects: readonly ExploreProject[];
  readonly range: ExactRange;
}

export const isRowExport = (dataset: string): dataset is ExportedTableName =>
  exportedTables.some((name) => name === dataset);

const columnsOf = (table: ExportedTableName): string[] => [
  'project',
  ...Object.keys(itemTable(table).columns).filter((name) => name !== 'project_id'),
];

/** Throws `INPUT_INVALID` for what rows of the table cannot be asked for. */
export function checkRows({ dataset, field, query, sort, environment }: RowsAsked): void {
  const columns = columnsOf(dataset);
  const unknown = field.find((name) => !columns.includes(name));
  if (unknown !== undefined) throw new CodedError('INPUT_INVALID', [texts.unknownField(unknown, columns)]);
  if (query !== '' || sort.length > 0) throw new CodedError('INPUT_INVALID', [texts.timeOnly(dataset)]);
  if (environment.length > 0 && !columns.includes('environment'))
    throw new CodedError('INPUT_INVALID', [texts.noEnvironment(dataset)]);
}

/** Pieces of the file, the newest rows first, told of before each is written. Ends early when the signal is aborted. */
export async function* writeRows(
  events: Events,
  asked: RowsAsked,
  scope: RowsScope,
  { format, signal }: { readonly format: ExportFormat; readonly signal: AbortSignal },
  onProgress: (progress: ExportProgress) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const names = asked.field.length > 0 ? asked.field : columnsOf(asked.dataset);
  const read = rowReader(events, sourceOf(asked, scope, names), signal);
  const cells = cellsOf(asked.dataset, scope);
  const total = await read.count();
  let piece = Buffer.from(headOf(format, names));
  yield piece;
  let [rows, bytes] = [0, piece.length];
  let limit = 1000;
  for await (const page of read.pages(() => limit)) {
    signal.throwIfAborted();
    const shown = page.slice(0, maxRows - rows).map(cells);
    piece = Buffer.from(shown.map((row) => lineOf(format, names, row)).join(''));
    rows += shown.length;
    bytes += piece.length;
    await onProgress({ rows, total: Math.max(total, rows), bytes });
    yield piece;
    if (rows >= maxRows) return;
    limit = pageLimit(shown);
  }
}

function sourceOf(
  { dataset, environment }: RowsAsked,
  { projects, range }: RowsScope,
  names: readonly string[],
): RowSource {
  const { columns, time } = itemTable(dataset);
  const whole = { ...range, startMs: Math.max(0, Math.floor(range.startMs)), endMs: Math.ceil(range.endMs) };
  return {
    table: dataset,
    time,
    columns: Object.keys(columns),
    selected: names.map((name) => {
      if (name === 'project') return [name, 'project_id'];
      return [name, columns[name]?.startsWith('hash') ? `toString(${name})` : name];
    }),
    scope: [
      during(whole, time, 'asked'),
      inProjects(projects.map(({ id }) => id)),
      inEnvironments(environment.filter((name) => name !== '')),
    ],
  };
}

function cellsOf(dataset: ExportedTableName, { projects }: RowsScope): (row: ReadRow) => ExportRow {
  const { columns } = itemTable(dataset);
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  return ({ values }) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]): [string, ExportRow[string]] => {
        if (name === 'project') return [name, slugs.get(Number(value)) ?? ''];
        const kind = columns[name] ?? '';
        if (kind === 'millis' || kind === 'micros') return [name, `${String(value).replace(' ', 'T')}Z`];
        return [name, (value ?? null) as ExportRow[string]];
      }),
    );
}
