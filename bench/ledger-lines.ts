/** Lines of the ledger: processor time of one stage for one unit, and what it is compared to in the same run. */

export const parts = ['pipeline', 'computing', 'engine', 'views', 'api', 'statements', 'kinds'] as const;
/** What is measured together. */
export type Part = (typeof parts)[number];

export interface Line {
  readonly part: Part;
  readonly name: string;
  /** µs of processor time. */
  readonly us: number;
}

/** Work that is always the same, as it is for JavaScript with sockets and a disk, without them, and for the engine. */
export interface Floors {
  readonly server: number;
  readonly parsing: number;
  readonly hashing: number;
}

export const floorOf: Readonly<Record<Part, keyof Floors>> = {
  pipeline: 'server',
  computing: 'parsing',
  engine: 'hashing',
  views: 'hashing',
  api: 'server',
  statements: 'hashing',
  kinds: 'server',
};

export interface Measurement {
  readonly lines: readonly Line[];
  readonly floors: Floors;
  /** Cores that other programs kept busy meanwhile. */
  readonly others: number;
  readonly seconds: number;
}

/** A thread's time by stage: shares of all samples, in what the thread took at least. */
export function byStage(samples: ReadonlyMap<string, number>, totalUs: number): Map<string, number> {
  const all = [...samples.values()].reduce((sum, count) => sum + count, 0);
  return new Map(
    [...samples].sort((a, b) => b[1] - a[1]).map(([stage, count]) => [stage, (count / all) * totalUs] as const),
  );
}

export function addSamples(to: Map<string, number>, from: ReadonlyMap<string, number>): void {
  for (const [stage, count] of from) to.set(stage, (to.get(stage) ?? 0) + count);
}
