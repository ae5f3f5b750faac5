/** What every part of the waterfall looks up in a trace, made once for each answer. Linear in its spans. */
import type { Waterfall, WaterfallRow } from './queries.ts';

/** Fewer siblings that do the same are shown one by one. */
const shortestRun = 5;

export interface Stretch {
  readonly offsetUs: number;
  readonly durationUs: number;
}

export interface IndexedTrace {
  readonly trace: Waterfall;
  readonly rows: readonly WaterfallRow[];
  /** Of each row: what names it while spans come and indexes move. */
  readonly keys: readonly string[];
  readonly rowOfKey: ReadonlyMap<string, number>;
  /** By row: how many siblings, itself the first, do the same and have no children; 0 elsewhere. */
  readonly runs: Int32Array;
  /** By row: where the run begins that it is in, -1 for none. */
  readonly runOf: Int32Array;
  /** Parts of the critical path by row. */
  readonly critical: ReadonlyMap<number, readonly Stretch[]>;
  readonly gaps: ReadonlyMap<number, readonly Stretch[]>;
  readonly logs: ReadonlyMap<number, readonly number[]>;
  /** Rows of problems: what they are evidence of. */
  readonly evidence: ReadonlyMap<number, readonly Evidence[]>;
}

export interface Evidence {
  /** Index of the problem. */
  readonly problem: number;
  readonly role: 'offender' | 'cause';
}

export const keyOf = (row: Pick<WaterfallRow, 'projectId' | 'id'>): string => `${row.projectId}:${row.id}`;

export function indexTrace(trace: Waterfall): IndexedTrace {
  const { rows } = trace;
  const keys = rows.map(keyOf);
  const evidence = new Map<number, Evidence[]>();
  trace.problems.forEach(({ offenders, causes }, problem) => {
    for (const row of offenders) add(evidence, row, { problem, role: 'offender' });
    for (const row of causes) add(evidence, row, { problem, role: 'cause' });
  });
  const logs = new Map<number, number[]>();
  trace.logs.forEach(({ row }, index) => add(logs, row, index));
  return {
    trace,
    rows,
    keys,
    rowOfKey: new Map(keys.map((key, row) => [key, row])),
    ...findRuns(rows),
    critical: byRow(trace.criticalPath),
    gaps: byRow(trace.gaps),
    logs,
    evidence,
  };
}

/** Index of the span with this id, -1 for none. */
export function rowOfSpan({ rows }: IndexedTrace, id: string | undefined): number {
  return id === undefined ? -1 : rows.findIndex((row) => row.id === id);
}

/** From the row up, the nearest first. */
export function ancestorsOf({ rows }: Pick<IndexedTrace, 'rows'>, row: number): number[] {
  const above: number[] = [];
  for (let at = rows[row]?.parent ?? -1; at >= 0 && above.length < rows.length; at = rows[at]?.parent ?? -1)
    above.push(at);
  return above;
}

/** Siblings without children follow each other directly. */
function findRuns(rows: readonly WaterfallRow[]): Pick<IndexedTrace, 'runs' | 'runOf'> {
  const runs = new Int32Array(rows.length);
  const runOf = new Int32Array(rows.length).fill(-1);
  for (let first = 0, end = 0; first < rows.length; first = end) {
    const row = rows[first];
    end = first + 1;
    if (!row || row.below > 0) continue;
    for (let next = rows[end]; next && next.below === 0; next = rows[end]) {
      if (next.parent !== row.parent || next.shape !== row.shape) break;
      end += 1;
    }
    if (end - first < shortestRun) continue;
    runs[first] = end - first;
    runOf.fill(first, first, end);
  }
  return { runs, runOf };
}

function byRow(stretches: readonly (Stretch & { readonly row: number })[]): Map<number, Stretch[]> {
  const found = new Map<number, Stretch[]>();
  for (const { row, offsetUs, durationUs } of stretches) add(found, row, { offsetUs, durationUs });
  return found;
}

function add<T>(lists: Map<number, T[]>, row: number, value: T): void {
  const known = lists.get(row);
  if (known) known.push(value);
  else lists.set(row, [value]);
}
