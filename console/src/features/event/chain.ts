/** How the exceptions of an event hang together, from what each SDK says of it. */
import type { ShownException } from './entries.ts';

/**
 * What an exception is to the one that it belongs to. `cause` where no more is known, as in most languages; Python tells
 * `direct` (`raise … from`) from `during` (raised while the other was handled).
 */
export type Relation = 'cause' | 'direct' | 'during' | 'suppressed' | 'member';

export interface Linked extends ShownException {
  readonly relation: Relation;
  /** How many groups, or exceptions that something was suppressed for, it lies in. */
  readonly depth: number;
}

/**
 * The exceptions after the first, each below the one that it belongs to: what was suppressed, then members of the group,
 * then the cause, as Java prints them.
 *
 * @param shown the outermost first
 */
export function chainOf(shown: readonly ShownException[], platform: string | null): Linked[] {
  const links = shown.map((each, index) => ({ each, parent: parentOf(shown, index) }));
  const linked: Linked[] = [];
  const seen = new Set([0]);
  const visit = (parent: number, depth: number): void => {
    const children = links.flatMap((link, index) => {
      if (link.parent !== parent || seen.has(index)) return [];
      seen.add(index);
      return [{ index, each: link.each, relation: relationTo(shown[parent], link.each, platform) }];
    });
    for (const { index, each, relation } of children.toSorted((a, b) => order(a.relation) - order(b.relation))) {
      const deeper = order(relation) < 2 ? depth + 1 : depth;
      linked.push({ ...each, relation, depth: deeper });
      visit(index, deeper);
    }
  };
  visit(0, 0);
  // Ids that lead in circles.
  for (const [index, each] of shown.entries())
    if (!seen.has(index)) linked.push({ ...each, relation: 'cause', depth: 0 });
  return linked;
}

const order = (relation: Relation): number => (relation === 'suppressed' ? 0 : relation === 'member' ? 1 : 2);

/** Place of the exception that another belongs to; where the SDK does not say, the one before, or the group. */
function parentOf(shown: readonly ShownException[], index: number): number {
  const { parent_id: parent, exception_id: id } = shown[index]?.exception?.mechanism ?? {};
  const byId = (wanted: unknown): number =>
    shown.findIndex(({ exception }) => exception?.mechanism?.['exception_id'] === wanted);
  const found = typeof parent === 'number' ? byId(parent) : -1;
  // Python's SDK hands the cause of a member to the group, but numbers it next to the member.
  if (found >= 0 && typeof id === 'number' && sourceOf(shown[index]).startsWith('__') && id !== Number(parent) + 1) {
    const neighbour = byId(id - 1);
    if (neighbour >= 0 && shown[neighbour]?.exception?.mechanism?.['parent_id'] === parent) return neighbour;
  }
  if (found >= 0 && found !== index) return isSuppressed(shown[index]) ? around(shown, found, index) : found;
  return isMember(shown[index]) ? 0 : index - 1;
}

function relationTo(parent: ShownException | undefined, child: ShownException, platform: string | null): Relation {
  if (isSuppressed(child)) return 'suppressed';
  if (isMember(child)) return 'member';
  const source = sourceOf(child);
  if (source === '__cause__') return 'direct';
  if (source === '__context__') return 'during';
  return platform === 'python' ? raisedBy(parent) : 'cause';
}

/** Java's SDK hands what was suppressed to the exception before it, which may have been suppressed for the same one. */
function around(shown: readonly ShownException[], found: number, index: number): number {
  let at = found;
  for (let steps = 0; at > 0 && at < index && steps < shown.length; steps += 1) {
    if (isSuppressed(shown[at])) return parentOf(shown, at);
    at = parentOf(shown, at);
  }
  return found;
}

const isSuppressed = (shown: ShownException | undefined): boolean =>
  shown?.exception?.mechanism?.['type'] === 'suppressed';

/** `errors[0]`, `exceptions[1]`, `InnerExceptions[0]` */
const isMember = (shown: ShownException | undefined): boolean => sourceOf(shown).endsWith(']');

function sourceOf(shown: ShownException | undefined): string {
  const source = shown?.exception?.mechanism?.['source'];
  return typeof source === 'string' ? source : '';
}

/** Whether Python's line that raised names a cause: it alone tells, where the SDK sends a chain without ids. */
function raisedBy(shown: ShownException | undefined): Relation {
  const frame = shown?.stacktrace?.frames.at(-1);
  const at = frame?.context.findIndex(([line]) => line === frame.lineNo) ?? -1;
  if (!frame || at < 0) return 'cause';
  const [first = '', ...after] = frame.context.slice(at).map(([, text]) => text.trim());
  if (!/^raise\b/.test(first)) return 'during';
  return /[\w)\]}"'] from \w/.test(statement(first, after)) ? 'direct' : 'during';
}

/** A line with those that its brackets reach to, without the texts in it. */
function statement(first: string, after: readonly string[]): string {
  let text = '';
  for (const line of [first, ...after]) {
    text += ` ${line.replaceAll(/'[^']*'|"[^"]*"/g, '""')}`;
    if (count(text, /[([{]/g) <= count(text, /[)\]}]/g)) break;
  }
  return text;
}

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;
