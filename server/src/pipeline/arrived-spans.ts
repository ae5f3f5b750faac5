/** Which traces got spans by a batch, for screens that show one of them while it still arrives. */
import type { SpanRow } from '../base/tables/spans.ts';

/** Of one project, stored by one batch. */
export interface ArrivedSpans {
  readonly projectId: number;
  readonly count: number;
  /** At most `maxTraceIds`; which of more is left to chance. */
  readonly traceIds: readonly string[];
  /** They are the first spans of the project. */
  readonly first: boolean;
}

/** By project. */
export type SpanTally = Map<number, { count: number; readonly traceIds: Set<string> }>;

/** A message goes to every open screen, so it stays small. */
export const maxTraceIds = 100;

export function tallySpan(tally: SpanTally, row: Pick<SpanRow, 'project_id' | 'trace_id'>): void {
  let known = tally.get(row.project_id);
  if (!known) tally.set(row.project_id, (known = { count: 0, traceIds: new Set() }));
  known.count += 1;
  if (known.traceIds.size < maxTraceIds) known.traceIds.add(row.trace_id);
}

/** Adds what a slice of the batch had. */
export function addTally(sum: SpanTally, slice: SpanTally): void {
  for (const [projectId, { count, traceIds }] of slice) {
    let known = sum.get(projectId);
    if (!known) sum.set(projectId, (known = { count: 0, traceIds: new Set() }));
    known.count += count;
    for (const id of traceIds) {
      if (known.traceIds.size >= maxTraceIds) break;
      known.traceIds.add(id);
    }
  }
}

export function arrivedSpans(tally: SpanTally, first: ReadonlySet<number>): ArrivedSpans[] {
  return [...tally].map(([projectId, { count, traceIds }]) => ({
    projectId,
    count,
    traceIds: [...traceIds],
    first: first.has(projectId),
  }));
}
