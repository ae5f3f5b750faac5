/**
 * One walk over a bag of the client's own data that scrubs and bounds it in place: sensitive keys and texts first (so
 * that no cut can hide half a secret), then depth and size. Call depth is bounded by the bag's depth limit.
 */
import { asText } from '../json.ts';
import { type BagLimit, cutText, localsLimits } from '../limits.ts';
import type { Remarks } from '../remarks.ts';
import { isCookieHeader } from './names.ts';
import { scrubCookies } from './named.ts';
import { filtered, type KeyKind, type ScrubRules } from './rules.ts';
import { maxScannedText, scrubText } from './text.ts';

const defaultMaxEntries = 10_000;
/** What a value may take where those before it have left nothing. */
const leastOfEach = 64;
/** And all such values together. */
const leastOfAll = 4 * 1024;

/** Longer ones are none. */
const isName = (key: string): boolean => key.length <= 1024 && key !== '__proto__';

export class BagCleaner {
  readonly #rules: ScrubRules;
  readonly #remarks: Remarks;
  /** Of the value that is looked at: so many of these. */
  readonly #path: (string | number)[] = [];
  #depth = 0;
  #limit: BagLimit = { maxSize: 0, maxDepth: 0, maxText: 0 };
  #left = 0;
  #localsLeft: number = localsLimits.event;
  #entries = 0;

  constructor(rules: ScrubRules, remarks: Remarks) {
    this.#rules = rules;
    this.#remarks = remarks;
  }

  /** The cleaned bag: the same object, changed; another value where the bag was none. */
  clean(value: unknown, limit: BagLimit, ...path: (string | number)[]): unknown {
    this.#begin(limit, path);
    return this.#value(value, 'plain', 1);
  }

  /**
   * The same of values by name, each with a budget of its own, so that a large one cannot push the others out. Where
   * they take more than `total` together, the last keep their beginnings.
   */
  cleanEach(
    value: unknown,
    { limit, total }: { readonly limit: BagLimit; readonly total: number },
    ...path: (string | number)[]
  ): { readonly bag: unknown; readonly used: number } {
    this.#begin(limit, path);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const bag = this.#value(value, 'plain', 1);
      return { bag, used: limit.maxSize - this.#left };
    }
    const object = value as Record<string, unknown>;
    let left = total;
    let dropped: string[] | undefined;
    for (const key in object) {
      if (left <= -leastOfAll || !isName(key)) {
        (dropped ??= []).push(key);
        continue;
      }
      const most = Math.max(Math.min(left, limit.maxSize), leastOfEach);
      this.#left = most;
      this.#entries = limit.maxEntries ?? defaultMaxEntries;
      this.#member(object, key, 1, false);
      left -= most - this.#left;
    }
    return { bag: dropped ? this.#without(object, dropped) : object, used: total - left };
  }

  /** Of a frame: each variable has its budget, all of the frame, and all of the event. */
  locals(value: unknown, ...path: (string | number)[]): unknown {
    const { limit, frame } = localsLimits;
    const { bag, used } = this.cleanEach(value, { limit, total: Math.min(frame, this.#localsLeft) }, ...path);
    this.#localsLeft -= used;
    return bag;
  }

  #begin(limit: BagLimit, path: readonly (string | number)[]): void {
    this.#limit = limit;
    this.#left = limit.maxSize;
    this.#entries = limit.maxEntries ?? defaultMaxEntries;
    this.#depth = 0;
    for (const part of path) this.#enter(part);
  }

  // Entries are overwritten: an array that is emptied and filled again takes memory anew each time.
  #enter(part: string | number): void {
    this.#path[this.#depth++] = part;
  }

  #changed(rule: string, kind: 's' | 'x', length?: number): void {
    this.#remarks.changed(this.#path.slice(0, this.#depth), rule, kind, length);
  }

  /** `cookies`: whether the names in it are those of cookies. */
  #value(value: unknown, kind: KeyKind, depth: number, cookies = false): unknown {
    if (typeof value === 'string') return this.#text(value, kind);
    if (value === null || typeof value === 'boolean') {
      this.#left -= 4;
      return value;
    }
    if (kind === 'sensitive') {
      this.#changed('@password:filter', 'x');
      return null;
    }
    if (typeof value === 'number') return this.#number(value, kind);
    if (typeof value !== 'object') return undefined;
    if (depth > this.#limit.maxDepth) {
      this.#changed('!limit', 's');
      this.#left -= 8;
      return Array.isArray(value) ? '[Array]' : '[Object]';
    }
    if (Array.isArray(value)) return this.#list(value, depth, cookies);
    return this.#object(value as Record<string, unknown>, depth, cookies);
  }

  #text(value: string, kind: KeyKind): string {
    if (kind === 'sensitive' && value !== '' && value !== 'null') {
      // Somebody did so before, and said it.
      if (value !== filtered) this.#changed('@password:filter', 's', value.length);
      this.#left -= filtered.length;
      return filtered;
    }
    const scanned = Math.max(maxScannedText, this.#limit.maxText);
    let text = value.length > scanned ? value.slice(0, scanned).toWellFormed() : value;
    if (kind !== 'safe' && (this.#rules.active || this.#rules.removeAddresses)) {
      const safe = scrubText(text, 'bag', this.#rules);
      if (safe !== text) this.#changed('@scrub', 's', value.length);
      text = safe;
    }
    const max = Math.min(this.#limit.maxText, Math.max(this.#left, 20));
    if (text.length > max) text = cutText(text, { max, allowance: 0 }, this.#remarks, this.#path.slice(0, this.#depth));
    this.#left -= text.length + 2;
    return text;
  }

  /** A card number sent as a number is a card number still. */
  #number(value: number, kind: KeyKind): unknown {
    this.#left -= 8;
    if (value < 1e8 || kind === 'safe' || !this.#rules.defaults) return value;
    const text = asText(value) ?? '';
    return scrubText(text, 'bag', this.#rules) === text ? value : filtered;
  }

  #list(list: unknown[], depth: number, cookies: boolean): unknown[] {
    // `[["password", "x"], …]` is an object in another spelling.
    const first: unknown = list[0];
    const pairs = Array.isArray(first) && first.length === 2 && typeof first[0] === 'string';
    for (let index = 0; index < list.length; index++) {
      if (this.#left <= 0 || this.#entries-- <= 0) {
        this.#changed('!limit', 'x', list.length);
        list.length = index;
        break;
      }
      const entry = list[index];
      this.#enter(index);
      if (pairs && Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string') {
        entry[0] = cutText(entry[0], { max: 200, allowance: 0 });
        this.#left -= (entry[0] as string).length;
        entry[1] = this.#entry(entry[0] as string, entry[1], cookies, depth);
      } else list[index] = this.#value(entry, 'plain', depth + 1);
      this.#depth--;
    }
    return list;
  }

  #entry(name: string, value: unknown, cookies: boolean, depth: number): unknown {
    if (cookies && this.#rules.cookie(name) === 'sensitive') return this.#value(value, 'sensitive', depth + 1);
    const kind = this.#rules.entry(name, value);
    if (!isCookieHeader(name) || kind !== 'plain') return this.#value(value, kind, depth + 1);
    if (typeof value === 'string') return this.#value(scrubCookies(value, this.#rules), kind, depth + 1);
    return this.#value(value, kind, depth + 1, true);
  }

  #object(object: Record<string, unknown>, depth: number, cookies: boolean): Record<string, unknown> {
    let dropped: string[] | undefined;
    for (const key in object) {
      if (this.#left > 0 && this.#entries-- > 0 && isName(key)) this.#member(object, key, depth, cookies);
      else (dropped ??= []).push(key);
    }
    return dropped ? this.#without(object, dropped) : object;
  }

  /** Deleting from the parsed object would turn it slow; copying keeps what is left only. */
  #without(object: Record<string, unknown>, dropped: readonly string[]): Record<string, unknown> {
    this.#changed('!limit', 'x', dropped.length);
    const gone = new Set(dropped);
    return Object.fromEntries(Object.entries(object).filter(([key]) => !gone.has(key)));
  }

  #member(object: Record<string, unknown>, key: string, depth: number, cookies: boolean): void {
    this.#left -= key.length + 3;
    const before = object[key];
    if (typeof before === 'number' && before < 1e8 && this.#rules.key(key) === 'plain') {
      this.#left -= 8;
      return;
    }
    this.#enter(key);
    const after = this.#entry(key, before, cookies, depth);
    if (after !== before) object[key] = after;
    this.#depth--;
  }
}
