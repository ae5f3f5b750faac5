/** Statements of the engine that the server asked: asked again for what each costs, and shown in a few words. */
import type { Culprit } from './culprit.ts';
import type { Statement } from './inspector.ts';
import { threadsUs } from './processes.ts';

/** In a row; a statement alone is too short to be measured. */
const repeats = 8;
const shownCharacters = 60;

/** µs of the engine's processor time, the least of the rounds. */
export async function replay(culprit: Culprit, statement: Statement, rounds: number): Promise<number> {
  const [pid] = culprit.tree().engine;
  if (pid === undefined) throw new Error('there is no engine');
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = threadsUs(pid);
    for (let turn = 0; turn < repeats; turn++) await culprit.ask(statement);
    costs.push((threadsUs(pid) - before) / repeats);
  }
  return Math.min(...costs);
}

/** The beginning of its SQL, wherever that stands. */
export function shown({ path, body }: Statement): string {
  const inForm = /name="query"\r\n\r\n([\s\S]*?)\r\n--/.exec(body)?.[1];
  const sql = inForm ?? (new URLSearchParams(path.slice(path.indexOf('?'))).get('query') || body);
  const words = sql.replaceAll(/\s+/g, ' ').trim();
  const table = /\bFROM (\w+)/.exec(words)?.[1];
  return `${table ? `${table}: ` : ''}${words.slice(0, shownCharacters)}`;
}

export interface StatementCost {
  readonly words: string;
  readonly count: number;
  /** Of one. */
  readonly us: number;
}

/** Of all that were asked, the dearest in sum first; those of the same words are asked again once. */
export async function costsOf(culprit: Culprit, statements: readonly Statement[]): Promise<StatementCost[]> {
  const costs: StatementCost[] = [];
  for (const [words, [first, ...others]] of Map.groupBy(statements, shown))
    if (first) costs.push({ words, count: 1 + others.length, us: await replay(culprit, first, 1) });
  return costs.sort((a, b) => b.count * b.us - a.count * a.us);
}
