/**
 * Selectors: `$string`, `user.email`, `$http.headers.cookie`, `**`, joined by `&&`, `||`, `!` and parentheses. A path is
 * matched from its end, so it need not begin at the event; within it `*` is one step and `**` any number but none.
 */
import { selectorProblems as said } from '../../../../base/texts/scrub-rules.ts';
import { type TypeName, typeMasks, typeNames } from './types.ts';

type Part =
  | { readonly kind: 'type'; readonly mask: number; readonly isBasic: boolean }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'deep' };

export type Selector =
  | { readonly kind: 'path'; readonly parts: readonly Part[]; readonly deepAt: number }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Selector[] }
  | { readonly kind: 'not'; readonly of: Selector };

export interface SelectorFault {
  /** Characters of the selector. */
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** A place in what is scrubbed: a row of steps from the root, which has no key. */
export interface Place {
  /** Steps, the root included. */
  readonly length: number;
  /** In small letters. */
  readonly keys: readonly (string | number | undefined)[];
  readonly masks: readonly number[];
  /** Whether only a selector that names the place may choose it. */
  readonly isNamedOnly: boolean;
}

const [maxParts, maxNesting] = [30, 20];

/** Never throws. */
export function readSelector(text: string): { readonly selector: Selector } | { readonly fault: SelectorFault } {
  try {
    return { selector: new Reader(text).whole() };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault };
    throw error;
  }
}

class Fault extends Error {
  readonly fault: SelectorFault;

  constructor(fault: SelectorFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Words of the language before it had types. */
const older: Readonly<Record<string, TypeName>> = {
  freeform: 'string',
  email: 'string',
  sensitive: 'string',
  text: 'string',
  databag: 'object',
  container: 'object',
};

const token = /\$[a-z_]+|\*\*?|\d+|[A-Za-z_][\w-]*|'(?:[^']|'')+'/y;
const basic = new Set<TypeName>(['string', 'binary', 'number', 'boolean', 'datetime', 'array', 'object']);

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Selector {
    const old = Object.hasOwn(older, this.#text) ? older[this.#text] : undefined;
    if (old !== undefined)
      return { kind: 'path', parts: [{ kind: 'type', mask: typeMasks[old], isBasic: true }], deepAt: -1 };
    const selector = this.#joined('|');
    if (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? '';
      this.#refuse(char === ')' ? said.closes : said.unexpected(char));
    }
    return selector;
  }

  #refuse(message: string, start = this.#at, end = start + 1): never {
    throw new Fault({ message, start: Math.min(start, Math.max(0, this.#text.length - 1)), end });
  }

  #skip(): void {
    while (this.#text[this.#at] === ' ') this.#at++;
  }

  /** `|` binds less than `&`; each may be written once or twice. */
  #joined(mark: '|' | '&'): Selector {
    const of: Selector[] = [];
    do of.push(mark === '|' ? this.#joined('&') : this.#not());
    while (this.#takes(mark));
    const [first] = of;
    return of.length === 1 && first ? first : { kind: mark === '|' ? 'or' : 'and', of };
  }

  #takes(mark: '|' | '&'): boolean {
    this.#skip();
    if (this.#text[this.#at] !== mark) return false;
    this.#at += this.#text[this.#at + 1] === mark ? 2 : 1;
    return true;
  }

  #not(): Selector {
    this.#skip();
    const first = this.#text[this.#at];
    if (first !== '!' && first !== '~') return this.#one();
    this.#at++;
    this.#skip();
    if (this.#text[this.#at] === '!' || this.#text[this.#at] === '~') this.#refuse(said.notTwice);
    return { kind: 'not', of: this.#one() };
  }

  #one(): Selector {
    this.#skip();
    if (this.#text[this.#at] !== '(') return this.#path();
    const start = this.#at++;
    if (++this.#depth > maxNesting) this.#refuse(said.nested, start);
    const inner = this.#joined('|');
    this.#depth--;
    this.#skip();
    if (this.#text[this.#at] !== ')') this.#refuse(said.opens, start);
    this.#at++;
    return inner;
  }

  #path(): Selector {
    const start = this.#at;
    const parts: Part[] = [];
    let deepAt = -1;
    do {
      this.#skip();
      const from = this.#at;
      const part = this.#part();
      if (part.kind === 'deep' && deepAt >= 0) this.#refuse(said.deepTwice, from, this.#at);
      if (part.kind === 'deep') deepAt = parts.length;
      if (parts.push(part) > maxParts) this.#refuse(said.long, start, this.#at);
      this.#skip();
    } while (this.#text[this.#at] === '.' && ++this.#at);
    if (parts.length === 1 && parts[0]?.kind === 'any') this.#refuse(said.anyAlone, start, this.#at);
    return { kind: 'path', parts, deepAt };
  }

  #part(): Part {
    const start = this.#at;
    token.lastIndex = start;
    const found = token.exec(this.#text)?.[0];
    if (found === undefined) return this.#noPart();
    this.#at += found.length;
    if (found === '**') return { kind: 'deep' };
    if (found === '*') return { kind: 'any' };
    if (found.startsWith('$')) {
      const name = typeNames.get(found.slice(1));
      if (name === undefined) this.#refuse(said.unknownType(found), start, this.#at);
      return { kind: 'type', mask: typeMasks[name], isBasic: basic.has(name) };
    }
    if (/^\d/.test(found)) {
      if (/^[\w-]/.test(this.#text[this.#at] ?? '')) this.#refuse(said.quote, start, this.#at);
      return { kind: 'index', index: Number(found) };
    }
    const key = found.startsWith("'") ? found.slice(1, -1).replaceAll("''", "'") : found;
    return { kind: 'key', key: key.toLowerCase() };
  }

  #noPart(): never {
    const char = this.#text[this.#at];
    if (char === undefined) return this.#refuse(said.ends);
    if (char === "'") return this.#refuse(said.openQuote, this.#at, this.#text.length);
    return this.#refuse(/[&|).]/.test(char) ? said.missing : said.unexpected(char));
  }
}

/** A place that must be named is not named by what it is not. */
export const selects = (selector: Selector, place: Place): boolean =>
  !(place.isNamedOnly && isNegative(selector)) && holds(selector, place);

function isNegative(selector: Selector): boolean {
  return selector.kind === 'not' || (selector.kind === 'and' && selector.of.every((one) => isNegative(one)));
}

function holds(selector: Selector, place: Place): boolean {
  switch (selector.kind) {
    case 'path':
      return matches(selector, place);
    case 'and':
      return selector.of.every((one) => holds(one, place));
    case 'or':
      return selector.of.some((one) => selects(one, place));
    case 'not':
      return !holds(selector.of, place);
  }
}

function matches({ parts, deepAt }: Extract<Selector, { kind: 'path' }>, place: Place): boolean {
  const { length } = place;
  const suffix = parts.length - 1 - deepAt;
  if (parts.length > length || !fits(parts, deepAt + 1, place, length - suffix)) return false;
  if (deepAt < 0) return true;
  // A place that must be named is not named by what stands for any.
  if (place.isNamedOnly) return false;
  // Of the steps that are left one at least is that of `**`.
  const most = length - suffix - 1 - deepAt;
  if (deepAt === 0) return most >= 1;
  for (let at = 0; at <= most; at++) if (fitsHead(parts, deepAt, place, at)) return true;
  return false;
}

/** Whether the parts from `from` on are those of the steps from `at` on. */
function fits(parts: readonly Part[], from: number, place: Place, at: number): boolean {
  for (let index = parts.length - 1; index >= from; index--)
    if (!fitsStep(parts[index], index, place, at + index - from)) return false;
  return true;
}

function fitsHead(parts: readonly Part[], count: number, place: Place, at: number): boolean {
  for (let index = 0; index < count; index++) if (!fitsStep(parts[index], index, place, at + index)) return false;
  return true;
}

function fitsStep(part: Part | undefined, index: number, { keys, masks, isNamedOnly }: Place, step: number): boolean {
  switch (part?.kind) {
    case 'key':
      return keys[step] === part.key;
    case 'index':
      return keys[step] === part.index || keys[step] === String(part.index);
    case 'type':
      return ((masks[step] ?? 0) & part.mask) !== 0 && (!isNamedOnly || (!part.isBasic && index === 0));
    case 'any':
      return true;
    default:
      return false;
  }
}
