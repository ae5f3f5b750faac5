/** What the `_meta` of an event says that scrubbing changed, and where. Pure; whatever is sent is read. */

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
