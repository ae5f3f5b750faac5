/** Filters (RFC 7644, 3.4.2.2), read in linear time and with bounds. */
import { scim as texts } from '../../../base/texts/provisioning.ts';
import { ScimError } from './error.ts';
import { withoutSchema } from './json.ts';

export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/** `emails.value` is the attribute and what of it is asked for. */
export interface AttributePath {
  readonly name: string;
  readonly sub: string | undefined;
}

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | { readonly kind: 'compare'; readonly path: AttributePath; readonly operator: Operator; readonly value: Scalar }
  /** Values of an attribute, one of which matches a filter; and perhaps what one of those that match is. */
  | { readonly kind: 'values'; readonly name: string; readonly filter: Filter; readonly rest: Filter | undefined };

export type Scalar = string | number | boolean | null;

export const longestFilter = 1_000;
const deepest = 8;
const mostConditions = 30;

const operators: ReadonlySet<string> = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']);
const isOperator = (word: string): word is Operator => operators.has(word);

/** A name may be that of a schema, with colons and dots, before the attribute. */
const word = /[A-Za-z$_][\w$:.-]*/y;
const number = /-?\d{1,15}(?:\.\d{1,15})?(?![\w.])/y;
const space = /[ \t]*/y;

export function pathOf(text: string): AttributePath {
  const [name = '', sub, ...more] = splitSchema(withoutSchema(text));
  return { name, sub: sub === undefined ? undefined : [sub, ...more].join('.') };
}

/** `urn:…:2.0:User:department` is one name: its dots are those of a version. */
function splitSchema(text: string): string[] {
  if (!/^urn:/i.test(text)) return text.split('.');
  const colon = text.lastIndexOf(':');
  const [name = '', ...rest] = text.slice(colon + 1).split('.');
  return [text.slice(0, colon + 1) + name, ...rest];
}

/** Throws `ScimError` of the type invalidFilter. */
export function parseFilter(text: string): Filter {
  if (text.length > longestFilter) throw refused(texts.tooLong(longestFilter));
  const reader = new Reader(text);
  const filter = reader.either(0);
  reader.end();
  return filter;
}

const refused = (detail: string): ScimError => new ScimError(400, detail, 'invalidFilter');

class Reader {
  #at = 0;
  #conditions = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.#skip();
  }

  end(): void {
    if (this.#at < this.#text.length) throw this.#wrong();
  }

  either(depth: number): Filter {
    return this.#joined('or', () => this.#joined('and', () => this.#one(depth)));
  }

  #joined(kind: 'and' | 'or', part: () => Filter): Filter {
    const first = part();
    const parts = [first];
    while (this.#takeWord(kind)) parts.push(part());
    return parts.length === 1 ? first : { kind, parts };
  }

  #one(depth: number): Filter {
    if (depth >= deepest) throw refused(texts.tooDeep(deepest));
    if (this.#take('(')) return this.#closed(')', depth);
    const name = this.#match(word);
    if (name === undefined) throw this.#wrong();
    if (name.toLowerCase() === 'not' && this.#take('(')) return { kind: 'not', part: this.#closed(')', depth) };
    if (this.#take('[')) {
      const filter = this.#closed(']', depth);
      const isGoingOn = this.#text[this.#at] === '.';
      if (isGoingOn) this.#at += 1;
      const rest = isGoingOn ? this.#condition(this.#match(word) ?? '') : undefined;
      return { kind: 'values', name: withoutSchema(name), filter, rest };
    }
    return this.#condition(name);
  }

  #closed(bracket: ')' | ']', depth: number): Filter {
    const inner = this.either(depth + 1);
    // What follows a bracket belongs to it only without a space: `[…].value`.
    if (this.#text[this.#at] !== bracket) throw this.#wrong();
    this.#at += 1;
    if (bracket === ')' || this.#text[this.#at] !== '.') this.#skip();
    return inner;
  }

  #condition(name: string): Filter {
    if (name === '') throw this.#wrong();
    this.#conditions += 1;
    if (this.#conditions > mostConditions) throw refused(texts.tooMany(mostConditions));
    const path = pathOf(name);
    const operator = this.#match(word)?.toLowerCase();
    if (operator === 'pr') return { kind: 'present', path };
    if (operator === undefined || !isOperator(operator)) throw this.#wrong();
    return { kind: 'compare', path, operator, value: this.#value() };
  }

  #value(): Scalar {
    if (this.#text[this.#at] === '"') return this.#string();
    const digits = this.#match(number);
    if (digits !== undefined) return Number(digits);
    const literal = this.#match(word)?.toLowerCase();
    if (literal === 'true') return true;
    if (literal === 'false') return false;
    if (literal === 'null') return null;
    throw this.#wrong();
  }

  #string(): string {
    const begin = this.#at;
    for (let at = begin + 1; at < this.#text.length; at += 1) {
      if (this.#text[at] === '\\') at += 1;
      else if (this.#text[at] === '"') {
        this.#at = at + 1;
        this.#skip();
        try {
          return JSON.parse(this.#text.slice(begin, at + 1)) as string;
        } catch {
          throw refused(texts.filter(begin + 1));
        }
      }
    }
    throw this.#wrong();
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    this.#skip();
    return found;
  }

  #takeWord(wanted: string): boolean {
    const before = this.#at;
    if (this.#match(word)?.toLowerCase() === wanted) return true;
    this.#at = before;
    return false;
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    this.#skip();
    return true;
  }

  #skip(): void {
    space.lastIndex = this.#at;
    this.#at += space.exec(this.#text)?.[0].length ?? 0;
  }

  #wrong(): ScimError {
    return refused(texts.filter(this.#at + 1));
  }
}
