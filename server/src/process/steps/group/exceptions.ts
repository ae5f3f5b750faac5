/** Which exceptions of an event take part, and which one gives the title. */
import type { Event, Exception } from '../event.ts';
import { unused } from '../../../base/texts/grouping.ts';

export interface ChosenExceptions {
  /** Those that count, causes first. */
  readonly counting: readonly Exception[];
  readonly main: Exception | undefined;
  /** Why others are left out. */
  readonly why?: string;
}

export function chooseExceptions(event: Event, componentKey: (exception: Exception) => string): ChosenExceptions {
  const all = event.exception?.values ?? [];
  const last = all.at(-1);
  if (all.length < 2 || !last) return { counting: all, main: last };
  const group = all.some(({ mechanism }) => mechanism?.is_exception_group === true)
    ? chooseOfGroup(all, componentKey)
    : undefined;
  return group ?? { counting: all, main: wrapped(all, last) };
}

/** React says that rendering failed and was tried again; the error that people look for is its cause. */
function wrapped(all: readonly Exception[], last: Exception): Exception {
  const isWrapper = /^There was an error during concurrent rendering|^There was an error while hydrating/.test(
    last.value ?? '',
  );
  return (isWrapper ? all.at(-2) : undefined) ?? last;
}

/** Undefined when the ids make no tree: then the list is a plain chain. */
function chooseOfGroup(
  all: readonly Exception[],
  componentKey: (exception: Exception) => string,
): ChosenExceptions | undefined {
  const byId = new Map<number, Exception>();
  const children = new Map<number, Exception[]>();
  for (const exception of all) {
    const id = exception.mechanism?.exception_id;
    const parent = exception.mechanism?.parent_id;
    if (id === undefined || byId.has(id) || (id === parent && id !== 0)) return undefined;
    byId.set(id, exception);
    if (parent === undefined || parent === id) continue;
    const siblings = children.get(parent);
    if (siblings) siblings.push(exception);
    else children.set(parent, [exception]);
  }
  const root = byId.get(0);
  if (!root) return undefined;
  const distinct = new Map<string, Exception>();
  for (const exception of topLevel(root, children)) {
    const key = componentKey(exception);
    if (!distinct.has(key)) distinct.set(key, exception);
  }
  const chosen = [...distinct.values()].sort((a, b) => compare(b.type ?? '', a.type ?? ''));
  const [only] = chosen;
  const why = unused.sameError;
  if (!only) return { counting: [root], main: root, why };
  if (chosen.length === 1) return { counting: firstPath(only, children), main: only, why };
  return { counting: [...chosen, root], main: root, why };
}

/** The first descendants that are no groups themselves. The list bounds the walk: each exception is visited once. */
function topLevel(root: Exception, children: ReadonlyMap<number, Exception[]>): Exception[] {
  const found: Exception[] = [];
  const waiting = [root];
  const seen = new Set<Exception>(waiting);
  for (let group = waiting.pop(); group; group = waiting.pop()) {
    for (const child of children.get(group.mechanism?.exception_id ?? -1) ?? []) {
      if (seen.has(child)) continue;
      seen.add(child);
      if (child.mechanism?.is_exception_group === true) waiting.push(child);
      else found.push(child);
    }
  }
  return found;
}

function firstPath(from: Exception, children: ReadonlyMap<number, Exception[]>): Exception[] {
  const path = [from];
  for (let next = children.get(from.mechanism?.exception_id ?? -1)?.[0]; next && !path.includes(next);) {
    path.unshift(next);
    next = children.get(next.mechanism?.exception_id ?? -1)?.[0];
  }
  return path;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
