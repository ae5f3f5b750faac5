/** What processing changed, for `_meta` (cut and removed parts) and `errors` (what the sender got wrong). */
import type { EventError } from './event.ts';
import type { JsonObject } from './json.ts';

type Path = readonly (string | number)[];

/** More would cost more than it tells: an event that is all trouble shows its first troubles. */
const maxRemarks = 50;
const maxErrors = 20;

interface Remark {
  readonly path: Path;
  /** `!limit` for cuts, `@…` for scrubbing rules. */
  readonly rule: string;
  /** s: substituted, x: removed. */
  readonly kind: 's' | 'x';
  /** Length before, in characters or entries. */
  readonly length?: number;
}

export class Remarks {
  readonly changes: Remark[] = [];
  readonly errors: EventError[] = [];

  changed(path: Path, rule: string, kind: 's' | 'x', length?: number): void {
    if (this.changes.length < maxRemarks) this.changes.push({ path: [...path], rule, kind, length });
  }

  error(type: string, name?: string, value?: string): void {
    if (this.errors.length >= maxErrors) return;
    const error: EventError = { type };
    // Cut to what is kept when they are scrubbed.
    if (name !== undefined) error.name = name.slice(0, 1000).toWellFormed();
    if (value !== undefined) error.value = value.slice(0, 1000).toWellFormed();
    this.errors.push(error);
  }

  /** The tree that SDKs and Sentry's API know: the event's shape with `{"": {rem, len}}` at what was changed. */
  meta(): JsonObject | undefined {
    if (this.changes.length === 0) return undefined;
    const root: JsonObject = {};
    for (const { path, rule, kind, length } of this.changes) {
      let node = root;
      for (const part of path) {
        const key = String(part);
        // A client's key may be `__proto__`; defining it keeps it a key.
        if (!Object.hasOwn(node, key)) {
          Object.defineProperty(node, key, { value: {}, enumerable: true, writable: true, configurable: true });
        }
        node = node[key] as JsonObject;
      }
      node[''] = { rem: [[rule, kind]], ...(length === undefined ? {} : { len: length }) };
    }
    return root;
  }
}
