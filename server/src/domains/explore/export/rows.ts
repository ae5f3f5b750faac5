/** Rows of a table as they are stored, for data that Explore has no language for: what there is follows from its record. */
import { CodedError } from '../../../base/errors.ts';
import { inEnvironments, inProjects, where } from '../../../base/sql.ts';
import { exportedTables, type ExportedTableName, itemTable } from '../../../base/tables/index.ts';
import type { ExactRange } from '../../../base/time-range.ts';
import type { Events, QueryParams } from '../../../ports/events/events.ts';
import type { ExploreProject } from '../types.ts';
import { exports as texts } from '../../../base/texts/requests.ts';
import { type ExportFormat, type ExportRow, headOf, lineOf } from './csv.ts';
import { type ExportProgress, maxRows, pageLimit, slowSeconds } from './write.ts';

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
  const read = rowReader(events, asked, scope, names, signal);
  const total = await read.count();
  let piece = Buffer.from(headOf(format, names));
  yield piece;
  let [rows, bytes] = [0, piece.length];
  let limit = 1000;
  for await (const page of pagesOf(read, () => limit)) {
    signal.throwIfAborted();
    const shown = page.slice(0, maxRows - rows);
    piece = Buffer.from(shown.map((row) => lineOf(format, names, row.cells)).join(''));
    rows += shown.length;
    bytes += piece.length;
    await onProgress({ rows, total: Math.max(total, rows), bytes });
    yield piece;
    if (rows >= maxRows) return;
    limit = pageLimit(shown.map(({ cells }) => cells));
  }
}

type Reader = ReturnType<typeof rowReader>;

/** None is empty, and none much larger than the limit, however many rows there are of one moment. */
async function* pagesOf(read: Reader, limit: () => number): AsyncGenerator<readonly ReadRow[]> {
  let before: number | undefined;
  for (;;) {
    const size = limit();
    const found = await read.before(before, size + 1);
    const next = found[size];
    // Whether they are all of their moment is not known of the last ones.
    const whole = next ? found.filter(({ timeUs }) => timeUs > next.timeUs) : found;
    if (whole.length > 0) yield whole;
    if (!next) return;
    before = next.timeUs;
    yield* ofMoment(read, before, limit());
  }
}

/** Rows of one moment have no order among them in which a page could go on: they are read in parts by their hash. */
async function* ofMoment(read: Reader, timeUs: number, limit: number): AsyncGenerator<readonly ReadRow[]> {
  const parts = Math.max(1, Math.ceil((await read.count(timeUs)) / limit));
  for (let part = 0; part < parts; part++) {
    const found = await read.part(timeUs, part, parts);
    if (found.length > 0) yield found;
  }
}

interface ReadRow {
  readonly cells: ExportRow;
  readonly timeUs: number;
}

const moment = (name: string, unit: 'Milli' | 'Micro'): string => `fromUnixTimestamp64${unit}({${name}:Int64}, 'UTC')`;

function rowReader(
  events: Events,
  { dataset, environment }: RowsAsked,
  { projects, range }: RowsScope,
  names: readonly string[],
  signal: AbortSignal,
) {
  const { columns, time } = itemTable(dataset);
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  const conditions = [
    `${time} >= ${moment('askedFrom', 'Milli')}`,
    ...(range.open ? [] : [`${time} < ${moment('askedUntil', 'Milli')}`]),
  ];
  const params = { askedFrom: Math.max(0, Math.floor(range.startMs)), askedUntil: Math.ceil(range.endMs) };
  const scope = where(
    { conditions, params },
    inProjects(projects.map(({ id }) => id)),
    inEnvironments(environment.filter((name) => name !== '')),
  );
  const selected = names.map((name, index) => {
    if (name === 'project') return `project_id AS c${index}`;
    return `${columns[name]?.startsWith('hash') ? `toString(${name})` : name} AS c${index}`;
  });
  const options = { signal, maxExecutionSeconds: slowSeconds };
  const shape = [...selected, `toUnixTimestamp64Micro(toDateTime64(${time}, 6, 'UTC')) AS timeUs`].join(', ');
  const of = (timeUs: number) => ({ sql: `${time} = ${moment('at', 'Micro')}`, params: { at: timeUs } });
  const ask = async (sql: string, params: QueryParams): Promise<ReadRow[]> => {
    const rows = await events.query<Record<string, never> & { readonly timeUs: number }>(
      `SELECT ${shape} FROM ${dataset} WHERE ${scope.sql} ${sql}`,
      { ...scope.params, ...params },
      options,
    );
    return rows.map((row) => ({ timeUs: row.timeUs, cells: Object.fromEntries(names.map(cellOf(row))) }));
  };
  return {
    /** All, or those of one moment. */
    async count(timeUs?: number): Promise<number> {
      const at = timeUs === undefined ? undefined : of(timeUs);
      const [row] = await events.query<{ n: number }>(
        `SELECT count() AS n FROM ${dataset} WHERE ${scope.sql}${at ? ` AND ${at.sql}` : ''}`,
        { ...scope.params, ...at?.params },
        options,
      );
      return row?.n ?? 0;
    },
    /** The newest, or the newest before a moment. */
    before: (beforeUs: number | undefined, limit: number): Promise<ReadRow[]> =>
      ask(
        `${beforeUs === undefined ? '' : `AND ${time} < ${moment('before', 'Micro')}`}
         ORDER BY ${time} DESC LIMIT {rowLimit:UInt32}`,
        { rowLimit: limit, ...(beforeUs !== undefined && { before: beforeUs }) },
      ),
    part(timeUs: number, part: number, parts: number): Promise<ReadRow[]> {
      const at = of(timeUs);
      const hash = `cityHash64(${Object.keys(columns).join(', ')})`;
      return ask(`AND ${at.sql} AND ${hash} % {parts:UInt32} = {part:UInt32}`, { ...at.params, part, parts });
    },
  };

  function cellOf(row: Readonly<Record<string, unknown>>) {
    return (name: string, index: number): [string, ExportRow[string]] => {
      const value = row[`c${index}`];
      if (name === 'project') return [name, slugs.get(Number(value)) ?? ''];
      const kind = columns[name] ?? '';
      if (kind === 'millis' || kind === 'micros') return [name, `${String(value).replace(' ', 'T')}Z`];
      return [name, (value ?? null) as ExportRow[string]];
    };
  }
}
