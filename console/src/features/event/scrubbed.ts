/** What the `_meta` of an event says that scrubbing changed, and where. Pure; whatever is sent is read. */
import { entryOf } from './entries.ts';
import type { Event } from './types.ts';

type Kind = 'x' | 's' | 'm' | 'p';

export interface Scrubbed {
  /** Steps from the root of the event, as it was sent. */
  readonly path: readonly string[];
  readonly by: readonly {
    /** Removed, replaced, masked, hashed. */
    readonly kind: Kind;
    /** Whose rule it is; `builtin` as well for what others than this installation did. */
    readonly of: 'project' | 'organization' | 'builtin';
    readonly rule: string;
  }[];
}

const most = 500;
const deepest = 40;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isKind = (value: unknown): value is Kind => value === 'x' || value === 's' || value === 'm' || value === 'p';

/** In the order of the event. What was cut for its length is no scrubbing. */
export function scrubbedOf(meta: unknown): Scrubbed[] {
  const found: Scrubbed[] = [];
  const walk = (node: unknown, path: readonly string[]): void => {
    if (!isObject(node) || path.length > deepest) return;
    for (const [key, value] of Object.entries(node)) {
      if (found.length >= most) return;
      if (key !== '') {
        walk(value, [...path, key]);
        continue;
      }
      const by = remarksIn(value);
      if (by.length > 0) found.push({ path, by });
    }
  };
  walk(meta, []);
  return found;
}

function remarksIn(note: unknown): Scrubbed['by'] {
  const list: unknown = isObject(note) ? note['rem'] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((remark: unknown) => {
    const [name, kind] = Array.isArray(remark) ? (remark as unknown[]) : [];
    if (typeof name !== 'string' || name.startsWith('!') || !isKind(kind)) return [];
    const [, of = 'builtin', rule = name] = /^(project|organization):(.+)$/su.exec(name) ?? [];
    return { kind, of: of as 'project', rule };
  });
}

/** Those at a place and below it, with their steps from there. */
export function scrubbedBelow(all: readonly Scrubbed[], path: readonly string[]): Scrubbed[] {
  return all.flatMap((one) =>
    path.every((step, index) => one.path[index] === step) ? [{ ...one, path: one.path.slice(path.length) }] : [],
  );
}

/** Of a pair the value is its second entry, in our words and in Sentry's. */
export const inPair = (found: readonly Scrubbed[]): Scrubbed[] =>
  found.map((one) => (one.path[0] === '1' || one.path[0] === 'value' ? { ...one, path: one.path.slice(1) } : one));

type Shown = Pick<Event, 'entries' | 'tags'>;

/** Whether the value of a place is in sight with its mark; what is not, such as a variable of a call, is listed by its path. */
export function hasOwnMark([first = '', ...rest]: readonly string[], event: Shown): boolean {
  const [second = '', third = ''] = rest;
  const isOneOf = (list: readonly unknown[] | undefined, index: string): boolean =>
    list?.[Number(index || NaN)] !== undefined;
  switch (first) {
    case 'extra':
      return rest.length > 0;
    case 'user':
      return rest.length > (second === 'data' ? 1 : 0);
    case 'contexts':
      return rest.length > 1;
    case 'tags':
      return isOneOf(event.tags, second);
    case 'logentry':
      return entryOf(event, 'message') !== undefined;
    case 'breadcrumbs':
      return isOneOf(entryOf(event, 'breadcrumbs')?.values, third);
    case 'exception':
      return rest[2] === 'value' && isOneOf(entryOf(event, 'exception')?.values, third);
    case 'request':
      return isOfRequest(entryOf(event, 'request'), rest);
    default:
      return false;
  }
}

const lists = { headers: 'headers', cookies: 'cookies', query_string: 'query' } as const;

function isOfRequest(request: ReturnType<typeof entryOf<'request'>>, [first = '', second = '']: readonly string[]) {
  if (!request) return false;
  if (first === 'data') return true;
  if (first === 'url' || first === 'fragment') return Boolean(request.url);
  if (first === 'env') return second !== '';
  return (
    Object.hasOwn(lists, first) && request[lists[first as keyof typeof lists]][Number(second || NaN)] !== undefined
  );
}
