/** How the exceptions of an event hang together, from what SDKs say of it. */
import type { StackException, StackRelation } from '../types.ts';

/** What an SDK says of one exception beside type, message and frames. */
export interface Said {
  readonly type: string;
  readonly mechanism: Readonly<Record<string, unknown>> | undefined;
  /** The line that threw it with those after it, where they are known. */
  readonly source: readonly string[];
}

export type Link = Pick<StackException, 'relation' | 'parent'>;

/**
 * Parent and relation of each exception. `said`: the outermost one first. Entries with ids make a tree; those of SDKs
 * without are a chain.
 */
export function linksOf(said: readonly Said[], platform: string): Link[] {
  const ids = said.map(({ mechanism }) => whole(mechanism?.['exception_id']));
  const isTree = said.length > 1 && ids.every((id) => id !== undefined) && new Set(ids).size === ids.length;
  return said.map((each, index) => {
    if (index === 0) return {};
    // Members without ids are all of the outermost one.
    const before = isMember(each) ? 0 : index - 1;
    const parent = isTree ? (parentOf(said, ids, index) ?? before) : before;
    return { parent, relation: relationOf(each, said[parent], platform) };
  });
}

/** Index of the exception that this one belongs to, always an earlier one. */
function parentOf(said: readonly Said[], ids: readonly (number | undefined)[], index: number): number | undefined {
  const mechanism = said[index]?.mechanism;
  const isPython = mechanism?.['source'] === '__cause__' || mechanism?.['source'] === '__context__';
  // Python's SDK names the outermost exception here; what an exception came from has the next id.
  const id = isPython ? ids[index]! - 1 : parentId(said[index]);
  const found = ids.indexOf(id);
  if (found < 0 || found >= index) return undefined;
  if (!isSuppressed(said[index])) return found;
  // Java's SDK names the last exception before this one, which may belong to a suppressed one itself.
  const around = ancestors(said, ids, found).findLast((at) => isSuppressed(said[at]));
  return around === undefined ? found : (parentOf(said, ids, around) ?? found);
}

/** An exception and those before it that it belongs to, the innermost first. */
function ancestors(said: readonly Said[], ids: readonly (number | undefined)[], from: number): readonly number[] {
  const way: number[] = [];
  for (let at = from, before = from + 1; at >= 0 && at < before; at = ids.indexOf(parentId(said[at]))) {
    way.push(at);
    before = at;
  }
  return way;
}

const parentId = (each: Said | undefined): number | undefined => whole(each?.mechanism?.['parent_id']);

const isSuppressed = (each: Said | undefined): boolean => each?.mechanism?.['type'] === 'suppressed';

/** `errors[0]`, `exceptions[1]`, `InnerExceptions[0]` */
const isMember = (each: Said): boolean => /^\w{1,40}\[\d{1,9}\]$/.test(String(each.mechanism?.['source'] ?? ''));

/** Undefined where Python's source would tell and is not known. */
function relationOf(each: Said, parent: Said | undefined, platform: string): StackRelation | undefined {
  const source = each.mechanism?.['source'];
  if (source === '__cause__') return 'cause';
  if (source === '__context__') return 'context';
  if (isSuppressed(each)) return 'suppressed';
  if (isMember(each)) return 'member';
  // Python's SDK tells these apart within groups only; the statement that raised says whether it named a cause.
  if (platform !== 'python') return 'cause';
  if (!parent?.source.length) return undefined;
  return namesCause(parent.source) ? 'cause' : 'context';
}

/** Whether a statement of Python raises something `from` a cause; it may have several lines. */
function namesCause(source: readonly string[]): boolean {
  let statement = '';
  for (const line of source.slice(0, 10)) {
    statement += ` ${line.slice(0, 1000).replaceAll(/'[^']*'|"[^"]*"/g, '""')}`;
    if (count(statement, /[([{]/g) <= count(statement, /[)\]}]/g)) break;
  }
  return / raise\b/.test(statement) && statement.includes(' from ');
}

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
