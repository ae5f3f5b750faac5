/** How many statements something asks of the engine: what a page waits for is theirs. For tests. */
import type { Events } from '../events.ts';

export interface StatementCount {
  readonly total: number;
  /** How many of them waited for another: those side by side count once. */
  readonly inARow: number;
}

export async function countStatements(events: Events, work: () => Promise<unknown>): Promise<StatementCount> {
  const depths: number[] = [];
  /** Of the deepest that has been answered. */
  let answered = 0;
  const query: Events['query'] = events.query.bind(events);
  events.query = async (...asked) => {
    const depth = answered + 1;
    depths.push(depth);
    try {
      return await query(...asked);
    } finally {
      answered = Math.max(answered, depth);
    }
  };
  try {
    await work();
  } finally {
    events.query = query;
  }
  return { total: depths.length, inARow: Math.max(0, ...depths) };
}
