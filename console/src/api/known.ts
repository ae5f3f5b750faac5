/** What was answered before and somebody still holds, by its address: browsers keep none of it. */
const known = new Map<string, { readonly tag: string; readonly data: WeakRef<object> }>();
const mostKnown = 200;

export interface Held {
  readonly tag: string;
  readonly data: object;
}

/** Undefined where there is none, or nobody holds it any more. */
export function heldOf(address: string): Held | undefined {
  const before = known.get(address);
  const data = before?.data.deref();
  return before && data && { tag: before.tag, data };
}

/** Answers that have no tag, or are no objects, are not kept. */
export function keep(address: string, tag: string | null, data: unknown): void {
  if (!tag || typeof data !== 'object' || !data) return;
  known.delete(address);
  known.set(address, { tag, data: new WeakRef(data) });
  for (const oldest of known.keys()) if (known.size > mostKnown) known.delete(oldest);
}
