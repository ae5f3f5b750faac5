/** What processing changed, for `_meta` (cut and removed parts) and `errors` (what the sender got wrong). */
import type { EventError } from './event.ts';
import { asCount, asList, asObject, asText, type JsonObject } from './json.ts';

type Path = readonly (string | number)[];

/** More would cost more than it tells: an event that is all trouble shows its first troubles. */
const maxRemarks = 50;
const maxByRule = 500;
const maxErrors = 20;

/** s: substituted, x: removed, m: masked, p: by a pseudonym. */
export type RemarkKind = 's' | 'x' | 'm' | 'p';

interface Remark {
  readonly path: Path;
  /** `!limit` for cuts, `@…` for scrubbing rules. */
  readonly rule: string;
  readonly kind: RemarkKind;
  /** Length before, in characters or entries. */
  readonly length?: number;
}

export class Remarks {
  /** What the sender says that it changed itself. */
  sent: JsonObject | undefined;
  readonly changes: Remark[] = [];
  readonly errors: EventError[] = [];
  #ruled = 0;

  changed(path: Path, rule: string, kind: RemarkKind, length?: number): void {
    if (this.changes.length - this.#ruled < maxRemarks) this.changes.push({ path: [...path], rule, kind, length });
  }

  /** Of a rule that members wrote: they look here for what it did. */
  byRule(path: Path, rule: string, kind: RemarkKind, length?: number): void {
    if (this.#ruled >= maxByRule) return;
    this.#ruled++;
    this.changes.push({ path: [...path], rule, kind, length });
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
    if (this.changes.length === 0) return this.sent;
    const root: JsonObject = this.sent ?? {};
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
      if (this.sent && rule === '!limit' && kind === 'x') dropPlaces(node);
      const before = asObject(node['']);
      const len = before?.len ?? length;
      node[''] = { rem: [...(asList(before?.rem) ?? []), [rule, kind]], ...(len === undefined ? {} : { len }) };
    }
    return root;
  }
}

/** Of a list that was cut: what was said of its places is said of others now. */
function dropPlaces(node: JsonObject): void {
  for (const key of Object.keys(node)) if (/^\d+$/.test(key)) delete node[key];
}

const [maxSent, deepest] = [200, 20];

/** The tree that an SDK sends, as far as it is one: which rule did what, and how long it was. */
export function sentRemarks(value: unknown): JsonObject | undefined {
  let left = maxSent;
  const read = (node: unknown, depth: number): JsonObject | undefined => {
    const raw = asObject(node);
    if (!raw || depth > deepest) return undefined;
    const kept: JsonObject = {};
    let isEmpty = true;
    for (const key in raw) {
      if (key.length > 200 || key === '__proto__' || left-- <= 0) continue;
      const inner = key === '' ? sentRemark(raw['']) : read(raw[key], depth + 1);
      if (!inner) continue;
      kept[key] = inner;
      isEmpty = false;
    }
    return isEmpty ? undefined : kept;
  };
  return read(value, 0);
}

function sentRemark(value: unknown): JsonObject | undefined {
  const raw = asObject(value);
  const rem = (asList(raw?.rem) ?? []).slice(0, 5).flatMap((entry): [string, string][] => {
    const [rule, kind] = asList(entry) ?? [];
    const name = asText(rule) ?? '';
    return /^[!@#][\w.:-]{1,60}$/.test(name) ? [[name, /^[a-z]$/.test(asText(kind) ?? '') ? String(kind) : 's']] : [];
  });
  const len = asCount(raw?.len);
  return rem.length === 0 && len === undefined ? undefined : { rem, ...(len === undefined ? {} : { len }) };
}
