/** Traces for tests: rows as the server orders them, from spans in a few words. */
import { indexTrace, type IndexedTrace } from './index-trace.ts';
import type { Waterfall, WaterfallRow } from './queries.ts';

export interface TestSpan extends Partial<Omit<WaterfallRow, 'parent' | 'depth' | 'below' | 'id'>> {
  readonly id: string;
  /** Id of a span before it. */
  readonly in?: string;
}

/** Children must come right after their parents and what is in those, as in a waterfall. */
export function testTrace(spans: readonly TestSpan[], overrides: Partial<Waterfall> = {}): Waterfall {
  const rowOf = new Map(spans.map(({ id }, row) => [id, row]));
  const rows: WaterfallRow[] = [];
  const below = new Int32Array(spans.length);
  spans.forEach(({ id, in: above, ...rest }) => {
    const parent = above === undefined ? -1 : (rowOf.get(above) ?? -1);
    rows.push({
      id,
      projectId: '1',
      parentId: above ?? null,
      parent,
      depth: (rows[parent]?.depth ?? -1) + 1,
      below: 0,
      offsetUs: 0,
      durationUs: 1000,
      selfUs: 1000,
      op: 'function',
      name: id,
      service: 'web',
      shape: rows.length,
      status: 'ok',
      kind: '',
      ...rest,
    });
  });
  for (let row = rows.length - 1; row > 0; row--) {
    const parent = rows[row]?.parent ?? -1;
    if (parent >= 0) below[parent] = (below[parent] ?? 0) + (below[row] ?? 0) + 1;
  }
  return {
    traceId: 'a'.repeat(32),
    startUs: 1_700_000_000_000_000,
    durationUs: 1_000_000,
    spans: rows.length,
    left: 0,
    duplicates: 0,
    lastReceived: null,
    services: [],
    projects: [{ id: '1', slug: 'shop' }],
    rows: rows.map((row, at) => ({ ...row, below: below[at] ?? 0 })),
    errors: [],
    problems: [],
    logs: [],
    logsLeft: 0,
    gaps: [],
    criticalPath: [],
    ...overrides,
  };
}

export const testIndex = (spans: readonly TestSpan[], overrides: Partial<Waterfall> = {}): IndexedTrace =>
  indexTrace(testTrace(spans, overrides));
