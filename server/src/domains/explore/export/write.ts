/** What a question finds, as the pieces of a file. */
import { readTable } from '../read-question.ts';
import type { IssueProject } from '../issue-terms.ts';
import type { RowPlace } from '../rows.ts';
import { countRows, readTableRows, type TableRows } from '../table.ts';
import type { ExploreScope, ExploreStores, Row, TableQuestion } from '../types.ts';
import { type ExportFormat, type ExportRow, headOf, lineOf } from './csv.ts';

export const maxRows = 1_000_000;
/** Groups come from one query, which has them all in memory. */
export const maxGroups = 50_000;
export const slowSeconds = 300;
const pageBytes = 4_000_000;

export interface ExportQuestion {
  readonly query: string;
  readonly field: readonly string[];
  readonly sort: readonly string[];
}

export interface ExportProgress {
  readonly rows: number;
  /** Rows that were found; there may be more than are written. */
  readonly total: number;
  readonly bytes: number;
}

/** How many rows a file has at most. */
export const limitOf = (isGrouped: boolean): number => (isGrouped ? maxGroups : maxRows);

/** Pieces of the file, told of before each is written. Ends early when the signal is aborted, with its reason. */
export async function* writeExport(
  stores: ExploreStores,
  scope: ExploreScope,
  asked: ExportQuestion,
  projects: readonly IssueProject[],
  { format, signal }: { readonly format: ExportFormat; readonly signal: AbortSignal },
  onProgress: (progress: ExportProgress) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const question = readTable(scope, asked);
  const names = question.columns.map(({ text }) => text);
  let bytes = 0;
  const encode = (text: string): Uint8Array => {
    // Lone surrogates become U+FFFD.
    const piece = Buffer.from(text, 'utf8');
    bytes += piece.length;
    return piece;
  };
  let rows = 0;
  let isBegun = false;
  for await (const { page, total, intervals } of pagesOf(stores, question, projects, signal)) {
    signal.throwIfAborted();
    if (!isBegun) {
      names.push(...intervalNames(names, intervals));
      yield encode(headOf(format, names));
      isBegun = true;
    }
    rows += page.length;
    const shown = intervals ? page.map((row, index) => withInterval(row, intervals[index])) : page;
    const piece = encode(shown.map((row) => lineOf(format, names, row)).join(''));
    await onProgress({ rows, total, bytes });
    yield piece;
  }
}

/** About as many rows as make a few MB, by what they were like so far. */
export function pageLimit(rows: readonly ExportRow[]): number {
  const looked = rows.slice(0, 100);
  const each = JSON.stringify(looked).length / looked.length;
  return Math.max(100, Math.min(20_000, Math.floor(pageBytes / each)));
}

const [lowOf, highOf] = [(name: string) => `${name} low`, (name: string) => `${name} high`];

/** Two columns for each of which some value is an estimate, after those that were asked for. */
const intervalNames = (names: readonly string[], intervals: TableRows['intervals']): string[] =>
  names
    .filter((name) => intervals?.some((ofRow) => Object.hasOwn(ofRow, name)))
    .flatMap((name) => [lowOf(name), highOf(name)]);

/** Of values that are right to 1 % they are empty. */
const withInterval = (row: Row, intervals: NonNullable<TableRows['intervals']>[number] = {}): Row => ({
  ...row,
  ...Object.fromEntries(
    Object.entries(intervals).flatMap(([name, [low, high]]) => [
      [lowOf(name), low],
      [highOf(name), high],
    ]),
  ),
});

interface ExportPage {
  readonly page: readonly Row[];
  readonly total: number;
  /** Of groups, where a storm made counts or rates estimates. */
  readonly intervals?: TableRows['intervals'] | undefined;
}

async function* pagesOf(
  stores: ExploreStores,
  question: TableQuestion,
  projects: readonly IssueProject[],
  signal: AbortSignal,
): AsyncGenerator<ExportPage> {
  if (question.isGrouped) {
    const groups = await readTableRows(stores, question, projects, {
      limit: maxGroups,
      offset: 0,
      signal,
      maxSeconds: slowSeconds,
    });
    const { rows, hasMore, intervals } = groups;
    yield { page: rows, total: rows.length + (hasMore ? 1 : 0), intervals };
    return;
  }
  const { count: total } = await countRows(stores, question, projects);
  // By time, whatever the table was sorted by: only so are pages read on from where the last one ended.
  const byTime = { ...question, sort: [] };
  let after: RowPlace | undefined;
  let limit = 1000;
  for (let written = 0; written < maxRows;) {
    const { rows, hasMore, last } = await readTableRows(stores, byTime, projects, {
      limit: Math.min(limit, maxRows - written),
      offset: 0,
      after,
      signal,
      maxSeconds: slowSeconds,
    });
    written += rows.length;
    yield { page: rows, total: Math.max(total, written) };
    if (!hasMore || !last) return;
    after = last;
    limit = pageLimit(rows);
  }
}
