/** One number for a window of time: what alerts compare. Many windows are asked for in one query. */
import { chunksOf } from '../../base/chunks.ts';
import { type SqlPart, where } from '../../base/sql.ts';
import {
  arrayOf,
  columnsOf,
  createBinder,
  type Decided,
  decidedHere,
  deciderOf,
  unionOf,
  type UnionPart,
  withPrefix,
  rowsCount,
} from '../search/index.ts';
import { columnsRead, conditionsOf } from './conditions.ts';
import { type IssueProject, type IssueTerms, resolveIssueTerms } from './issue-terms.ts';
import type { StoredRow } from './cells.ts';
import type { SeriesQuestion } from './read-question.ts';
import { sourceOf } from './sources.ts';
import { queryOptions, sqlOf } from './sql.ts';
import { spreadColumns, spreadsOf, stormInterval, wasSampled } from './storm.ts';
import type { ExploreStores } from './types.ts';

/** The first axis of the question over its range. */
export interface WindowQuestion {
  readonly question: SeriesQuestion;
  readonly projects: readonly IssueProject[];
}

export interface WindowOptions {
  readonly signal?: AbortSignal | undefined;
  readonly maxSeconds?: number | undefined;
}

/** Parts of one query: planning more of them costs more than asking twice. */
const partsOfQuery = 20;
/** Windows that are counted in one reading of the rows. */
const windowsOfPart = 24;
/** Values of columns; where there are more, the database decides the searches. */
const maxGroups = 5_000;

/** In the order of the questions; null where there was nothing that a value could be made of. */
export async function readWindows(
  stores: ExploreStores,
  asked: readonly WindowQuestion[],
  { signal, maxSeconds }: WindowOptions = {},
): Promise<(number | null)[]> {
  const values = asked.map((): number | null => null);
  const windows: Window[] = [];
  for (const [at, one] of asked.entries()) {
    if (one.question.projects.length) windows.push({ at, ...(await windowOf(stores, one)) });
  }
  const left = await answerWindows(stores, partsOfWindows(windows, true), values, { signal, maxSeconds });
  if (left.length) await answerWindows(stores, partsOfWindows(left, false), values, { signal, maxSeconds });
  return values;
}

/** Returns those of which there were too many rows to decide them here. */
async function answerWindows(
  stores: ExploreStores,
  parts: Iterable<WindowsPart>,
  values: (number | null)[],
  { signal, maxSeconds }: WindowOptions,
): Promise<readonly Window[]> {
  const left: Window[] = [];
  for (const chunk of chunksOf([...parts], partsOfQuery)) {
    const union = unionOf(chunk);
    const rows = Map.groupBy(
      await stores.events.query<FoundRow>(union.sql, union.params, queryOptions(signal, maxSeconds)),
      ({ part }) => part,
    );
    for (const [index, part] of chunk.entries()) {
      const found = rows.get(index) ?? [];
      if (part.decide && found.length > maxGroups) left.push(...part.windows);
      else note(part, found, values);
    }
  }
  return left;
}

function note({ windows, decide }: WindowsPart, rows: readonly FoundRow[], values: (number | null)[]): void {
  if (decide) for (const { at } of windows) values[at] = 0;
  for (const { of, found } of rows) {
    if (decide) {
      for (const index of decide(of)) {
        const at = windows[index]?.at ?? -1;
        values[at] = (values[at] ?? 0) + (found[0] ?? 0);
      }
    } else for (const [index, { at }] of windows.entries()) values[at] = finite(found[index] ?? null);
  }
}

interface FoundRow {
  readonly part: number;
  readonly of: readonly string[];
  readonly found: readonly (number | null)[];
}

interface Window {
  /** Which of the questions. */
  readonly at: number;
  readonly source: string;
  /** Aggregate of it all. */
  readonly axis: UnionPart;
  /** Which rows, whatever is searched for. */
  readonly base: SqlPart;
  /** Which of these. */
  readonly search: SqlPart;
}

interface WindowsPart extends UnionPart {
  readonly windows: readonly Window[];
  /** Which of the windows rows with these values are of; undefined where the database says so. */
  readonly decide: ((of: readonly string[]) => readonly number[]) | undefined;
}

async function windowOf(stores: ExploreStores, { question, projects }: WindowQuestion): Promise<Omit<Window, 'at'>> {
  const terms = await resolveIssueTerms(stores.state, projects, question.query);
  const { source, axis, params } = partsOf(question, terms);
  const all = conditionsOf(question, source, question.query.rows, terms);
  const base = conditionsOf(question, source, undefined, terms);
  const search = all.conditions.filter((condition) => !base.conditions.includes(condition));
  return {
    source: source.table,
    axis: { sql: axis, params },
    base,
    search: { conditions: search, params: all.params },
  };
}

/** Those that count different rows of the same stretch share one reading of it. */
function* partsOfWindows(windows: readonly Window[], decides: boolean): Generator<WindowsPart> {
  const counts = windows.filter(({ axis, source }) => axis.sql === countOf(source));
  for (const one of windows) {
    if (counts.includes(one)) continue;
    const { sql, params } = where(one.base, one.search);
    yield {
      sql: `SELECT emptyArrayString() AS of, [toFloat64(${one.axis.sql})] AS found FROM ${one.source} WHERE ${sql}`,
      params: { ...params, ...one.axis.params },
      windows: [one],
      decide: undefined,
    };
  }
  const stretchOf = ({ source, base }: Window): string => JSON.stringify([source, base.conditions, base.params]);
  for (const alike of Map.groupBy(counts, stretchOf).values()) {
    const decided = alike.flatMap((window) => {
      const decision = decides ? decidedHere(where(window.search)) : undefined;
      return decision ? [{ window, decision }] : [];
    });
    if (decided.length) yield decidedPart(decided);
    const known = new Set(decided.map(({ window }) => window));
    const others = alike.filter((window) => !known.has(window));
    for (const chunk of chunksOf(others, windowsOfPart)) {
      const [{ source, base }] = chunk as [Window, ...Window[]];
      const read = where(base);
      const each = chunk.map(({ search }, index) => withPrefix(where(search), `w${index}_`));
      yield {
        sql: `SELECT emptyArrayString() AS of, [${each.map(({ sql }) => `toFloat64(${countOf(source, sql)})`).join(', ')}] AS found FROM ${source} WHERE ${read.sql}`,
        params: Object.assign({}, read.params, ...each.map(({ params }) => params)) as Record<string, unknown>,
        windows: chunk,
        decide: undefined,
      };
    }
  }
}

const countOf = (source: Window['source'], condition?: string): string =>
  rowsCount(source === 'errors' ? 'events' : 'spans', condition);

/** One more than are decided here says that there are too many. */
function decidedPart(decided: readonly { readonly window: Window; readonly decision: Decided }[]): WindowsPart {
  const decisions = decided.map(({ decision }) => decision);
  const windows = decided.map(({ window }) => window);
  const [{ source, base }] = windows as [Window, ...Window[]];
  const read = where(base);
  const columns = columnsOf(decisions);
  const groups = columns.length ? `GROUP BY ${columns.join(', ')}` : '';
  return {
    sql: `SELECT ${arrayOf(columns)} AS of, [toFloat64(${countOf(source)})] AS found FROM ${source} WHERE ${read.sql} ${groups} LIMIT ${maxGroups + 1}`,
    params: read.params,
    windows,
    decide: deciderOf(decisions, columns),
  };
}

/** Null where there was nothing that a value could be made of. */
export interface WindowValue {
  readonly value: number | null;
  /** Undefined where the value is right to 1 %. */
  readonly interval: { readonly low: number; readonly high: number } | undefined;
}

/**
 * The same for each window of a length that begins a step after the one before, over the range of the question: by the
 * start of the window, ms since the epoch. Windows without a row are left out. `stepMs` divides `windowMs`.
 */
export async function readSlidingWindows(
  stores: ExploreStores,
  { question, projects }: WindowQuestion,
  { windowMs, stepMs }: { readonly windowMs: number; readonly stepMs: number },
  { signal, maxSeconds }: WindowOptions = {},
): Promise<Map<number, WindowValue>> {
  if (!question.projects.length) return new Map();
  const terms = await resolveIssueTerms(stores.state, projects, question.query);
  // Rates are per the time of a window.
  const each = { ...question, range: { startMs: 0, endMs: windowMs, open: false } };
  const { source, scope, axis, params, timeColumn, bind } = partsOf(question, terms, each);
  const fields = question.axes.slice(0, 1).map(({ field }) => field);
  const [spread] = wasSampled(question, projects) ? spreadsOf(fields, each, false, bind) : [];
  const columns = [`toFloat64(${axis}) AS value`, ...spreadColumns(spread ? [spread] : [])];
  const firstMs = Math.floor(question.range.startMs / stepMs) * stepMs;
  const rows = await stores.events.query<{ slot: number; value: number | null } & StoredRow>(
    `SELECT intDiv(toUnixTimestamp64Milli(${timeColumn}) - {firstMs:Int64}, {stepMs:Int64}) - arrayJoin(range({overlap:UInt32})) AS slot,
       ${columns.join(', ')}
     FROM ${source.table} WHERE ${scope.sql} GROUP BY slot ORDER BY slot`,
    { ...scope.params, ...params, firstMs, stepMs, overlap: Math.max(1, Math.round(windowMs / stepMs)) },
    queryOptions(signal, maxSeconds),
  );
  return new Map(
    rows.map((row) => {
      const [low, high] = (spread && stormInterval(row.value, row, spread)) ?? [];
      const interval = typeof low === 'number' && typeof high === 'number' ? { low, high } : undefined;
      return [firstMs + row.slot * stepMs, { value: finite(row.value), interval }];
    }),
  );
}

function partsOf(question: SeriesQuestion, terms: IssueTerms, axisOf: SeriesQuestion = question) {
  const { params, bind } = createBinder('asked');
  const [axis] = question.axes;
  if (!axis) throw new TypeError('a window needs an aggregate');
  const source = sourceOf(question.dataSet, columnsRead(question.query.rows, [axis.field]));
  return {
    source,
    timeColumn: source.timeColumn,
    scope: where(conditionsOf(question, source, question.query.rows, terms)),
    axis: sqlOf(axis.field, axisOf, bind),
    params,
    bind,
  };
}

/** Of nothing, averages are not a number. */
const finite = (value: number | null): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
