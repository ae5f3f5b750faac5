/**
 * Applies a member's rules to an event, in place: one walk, each value under its key and the types that selectors know.
 * They come before the built-in list, so that they see what was sent.
 */
import type { JsonObject } from '../../json.ts';
import { Chunks } from './chunks.ts';
import type { AppliedRule } from './matchers.ts';
import { redacted, remarkKinds } from './methods.ts';
import type { OwnRules } from './read.ts';
import { type Place, selects } from './selector.ts';
import { type Shape, typeMasks } from './types.ts';

export type RemarkKind = (typeof remarkKinds)[keyof typeof remarkKinds];

export interface Change {
  /** As in `_meta`: pairs by their place in the list. */
  readonly path: readonly (string | number)[];
  readonly rule: string;
  readonly kind: RemarkKind;
  /** Characters before, of a text. */
  readonly length?: number;
}

/** What lies deeper is cut when the event is bounded. */
const deepest = 70;
/** What says nothing. */
const empty = new Set(['', 'true', 'false', 'null', 'undefined']);

const removed = Symbol('removed');
/** `removed`, or the value that stays. */
type Kept = unknown;

interface Options {
  readonly shape: Shape;
  /** Characters of one value that are looked at; what is behind goes. */
  readonly maxText: number;
  /** Steps from the root; what lies deeper stays as it is. */
  readonly maxDepth?: number | undefined;
  readonly changed: (change: Change) => void;
}

/** `root` stays the same object. */
export function applyOwnRules(root: object, rules: OwnRules, options: Options): void {
  if (rules.applications.length > 0) new Walk(rules, options).root(root as JsonObject);
}

class Walk implements Place {
  readonly keys: (string | number | undefined)[] = [];
  readonly masks: number[] = [];
  length = 0;
  isNamedOnly = false;
  readonly #path: (string | number)[] = [];
  readonly #rules: OwnRules;
  readonly #options: Options;
  readonly #maxDepth: number;

  constructor(rules: OwnRules, options: Options) {
    this.#rules = rules;
    this.#options = options;
    this.#maxDepth = options.maxDepth ?? deepest;
  }

  root(value: JsonObject): void {
    const { shape } = this.#options;
    this.#enter(undefined, shape, value);
    this.#fields(value, shape);
  }

  #enter(key: string | number | undefined, shape: Shape, value: unknown): void {
    this.keys[this.length] = typeof key === 'string' ? key.toLowerCase() : key;
    this.masks[this.length] = shape.types | maskOf(value);
    this.length++;
    this.isNamedOnly = shape.reach === 'named';
  }

  /** `removed` for what is to go; else the value that stays. */
  #value(value: unknown, key: string | number, shape: Shape): Kept {
    if (shape.reach === 'no' || value === null || value === undefined || this.length > this.#maxDepth) return value;
    this.#enter(key, shape, value);
    const kept = this.#look(value, typeof key === 'string' ? key : '', shape);
    this.length--;
    return kept;
  }

  #look(value: unknown, key: string, shape: Shape): Kept {
    if (typeof value === 'string') return this.#text(value, key);
    if (typeof value === 'number') return this.#number(value, key, shape);
    if (typeof value !== 'object' || value === null) return value;
    if (this.#isGone(key) || (shape.sentAs && this.#isGoneAs(shape.sentAs))) return removed;
    if (Array.isArray(value)) this.#list(value, shape);
    else this.#fields(value as JsonObject, shape);
    return value;
  }

  #fields(object: JsonObject, shape: Shape): void {
    for (const name in object) {
      const before = object[name];
      const own = shape.fields && Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
      this.#path.push(name);
      const kept = this.#value(before, name, own ?? shape.others ?? shape);
      this.#path.pop();
      if (kept === before) continue;
      const value = kept === removed ? nothingFor(before, shape) : kept;
      // A client's key may be `__proto__`; defining it keeps it a key.
      if (name === '__proto__') Object.defineProperty(object, name, { value });
      else object[name] = value;
    }
  }

  #list(list: unknown[], shape: Shape): void {
    // `["password", "x"]` is a key with its value, in another spelling; or two values.
    const [found, named] = [this.#changes, this.#byKey];
    if (shape.bag && list.length === 2) this.#pair(list, shape);
    const isDone = [this.#byKey > named, this.#changes > found];
    let gone = 0;
    for (let index = 0; index < list.length; index++) {
      if (isDone[index]) continue;
      const before = list[index];
      this.#path.push(index);
      if (shape.pairs && Array.isArray(before)) this.#pair(before, { types: 0, reach: shape.reach, bag: true });
      else {
        const kept = this.#value(before, index, shape.others ?? shape);
        if (kept === removed) {
          list[index] = shape.bag ? null : typeof before === 'string' ? '' : removed;
          if (list[index] === removed) gone++;
        } else if (kept !== before) list[index] = kept;
      }
      this.#path.pop();
    }
    if (gone > 0) list.splice(0, list.length, ...list.filter((entry) => entry !== removed));
  }

  /** The value of `[key, value]`. */
  #pair(pair: unknown[], shape: Shape): void {
    const [key, before] = pair;
    if (typeof key !== 'string') return;
    this.#path.push(1);
    const kept = this.#value(before, key, shape);
    this.#path.pop();
    if (kept !== before) pair[1] = kept === removed ? '' : kept;
  }

  #changes = 0;
  /** Of these, where the key told. */
  #byKey = 0;

  #note({ name, method }: Pick<AppliedRule, 'name' | 'method'>, isByKey: boolean, length?: number): void {
    this.#changes++;
    if (isByKey) this.#byKey++;
    this.#options.changed({
      path: [...this.#path],
      rule: name,
      kind: remarkKinds[method.kind],
      ...(length === undefined ? {} : { length }),
    });
  }

  /** A list or an object can only go as a whole. */
  #isGone(key: string): boolean {
    for (const { selector, rules } of this.#rules.applications) {
      if (!rules.some((rule) => rule.whole(key)) || !selects(selector, this)) continue;
      const rule = rules.find((one) => one.whole(key));
      if (!rule) continue;
      this.#note({ name: rule.name, method: { kind: 'remove' } }, !rule.isAnything);
      return true;
    }
    return false;
  }

  /** In the place of the last step, by these. */
  #isGoneAs(steps: readonly string[]): boolean {
    const last = --this.length;
    for (const step of steps)
      this.#enter(step, { types: step === steps.at(-1) ? typeMasks.string : 0, reach: 'yes' }, {});
    const isGone = this.#isGone(steps.at(-1) ?? '');
    this.length = last + 1;
    return isGone;
  }

  #text(sent: string, key: string): Kept {
    if (empty.has(sent)) return sent;
    const { maxText } = this.#options;
    const text = sent.length > maxText ? sent.slice(0, maxText).toWellFormed() : sent;
    let chunks: Chunks | undefined;
    for (const { selector, rules } of this.#rules.applications) {
      if (!selects(selector, this)) continue;
      for (const rule of rules) {
        const isWhole = rule.whole(key);
        if (isWhole && rule.method.kind === 'remove') {
          this.#note(rule, !rule.isAnything, sent.length);
          return removed;
        }
        chunks ??= new Chunks(text);
        // What has given way already is not looked at again.
        const ranges =
          isWhole && chunks.text !== '\0' ? [{ start: 0, end: chunks.text.length }] : rule.find(chunks.text);
        if (ranges.length === 0) continue;
        chunks.replace(ranges, (found) => redacted(found, rule.method));
        this.#note(rule, isWhole && !rule.isAnything, sent.length);
      }
    }
    // Untouched it stays as long as it was: what bounds it comes later.
    return chunks && chunks.text !== text ? chunks.whole() : sent;
  }

  /** Of the client's own: the number of a card may be sent as a number. */
  #number(value: number, key: string, shape: Shape): Kept {
    if (!shape.bag) return this.#isGone(key) ? removed : value;
    const text = String(value);
    const kept = this.#text(text, key);
    return kept === text ? value : kept;
  }
}

/** What later steps count on is there, and empty. */
function nothingFor(value: unknown, { bag }: Shape): null | undefined | [] {
  if (bag) return null;
  return Array.isArray(value) ? [] : undefined;
}

function maskOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return typeMasks.string;
    case 'number':
      return typeMasks.number;
    case 'boolean':
      return typeMasks.boolean;
    default:
      return Array.isArray(value) ? typeMasks.array : typeMasks.object;
  }
}
