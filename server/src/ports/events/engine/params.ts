/**
 * Query parameters as ClickHouse's HTTP interface carries them, turned back into values that chDB binds.
 *
 * A scalar travels as tab-separated text: backslash escapes, `\N` for null. Arrays, maps and tuples travel as
 * literals whose strings are quoted: `['a','b']`, `{'k':'v'}`, `(1,'x')`.
 */

/** A tuple value; chDB knows it by this class name and its field `values`. */
class TupleParam {
  readonly values: readonly ParamValue[];
  constructor(values: readonly ParamValue[]) {
    this.values = values;
  }
}

export type ParamValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly ParamValue[]
  | ReadonlyMap<ParamValue, ParamValue>
  | TupleParam;

export class ParamError extends Error {
  override readonly name = 'ParamError';
}

const maxDepth = 16;
const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '/': '/',
  '`': '`',
  '=': '=',
};

/** Outermost type name of each `{name:Type}` placeholder. */
export function placeholderTypes(sql: string): Map<string, string> {
  const types = new Map<string, string>();
  for (const [, name, type] of sql.matchAll(/\{\s*([A-Za-z_]\w*)\s*:\s*([A-Za-z]\w*)/g)) {
    if (name !== undefined && type !== undefined) types.set(name, type);
  }
  return types;
}

/** `type` is the outermost type name of the placeholder. Throws `ParamError` on text that is no value of such a type. */
export function decodeParam(text: string, type: string): ParamValue {
  if (type === 'Array' || type === 'Map' || type === 'Tuple') return new LiteralReader(text).readAll();
  return text === '\\N' ? null : unescape(text);
}

function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(?:x([0-9A-Fa-f]{2})|([^]))/g, (whole, hex: string | undefined, char: string | undefined) =>
    hex === undefined ? (escapes[char ?? ''] ?? whole) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): ParamValue {
    const value = this.#value(0);
    this.#space();
    if (this.#at !== this.#text.length) this.#refuse();
    return value;
  }

  #value(depth: number): ParamValue {
    if (depth > maxDepth) throw new ParamError(`a query parameter is nested deeper than ${maxDepth}`);
    this.#space();
    switch (this.#text[this.#at]) {
      case '[':
        return this.#list(']', depth);
      case '(':
        return new TupleParam(this.#list(')', depth));
      case '{':
        return this.#map(depth);
      case "'":
        return this.#quoted();
      default:
        return this.#bare();
    }
  }

  #list(end: string, depth: number): ParamValue[] {
    const values: ParamValue[] = [];
    this.#at++;
    if (this.#takes(end)) return values;
    for (;;) {
      values.push(this.#value(depth + 1));
      if (this.#takes(end)) return values;
      this.#expect(',');
    }
  }

  #map(depth: number): ReadonlyMap<ParamValue, ParamValue> {
    const map = new Map<ParamValue, ParamValue>();
    this.#at++;
    if (this.#takes('}')) return map;
    for (;;) {
      const key = this.#value(depth + 1);
      this.#expect(':');
      map.set(key, this.#value(depth + 1));
      if (this.#takes('}')) return map;
      this.#expect(',');
    }
  }

  #quoted(): string {
    const start = ++this.#at;
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined) this.#refuse();
      if (char === "'") return unescape(this.#text.slice(start, this.#at++));
      this.#at += char === '\\' ? 2 : 1;
    }
  }

  #bare(): ParamValue {
    const pattern = /[A-Za-z0-9_+.-]+/y;
    pattern.lastIndex = this.#at;
    const word = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += word.length;
    if (/^[+-]?\d+$/.test(word)) return BigInt(word.replace('+', ''));
    if (/^null$/i.test(word)) return null;
    if (/^true$/i.test(word)) return true;
    if (/^false$/i.test(word)) return false;
    const number = Number(word);
    return word === '' || !Number.isFinite(number) ? this.#refuse() : number;
  }

  #space(): void {
    while (this.#text[this.#at] === ' ') this.#at++;
  }

  #takes(char: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #expect(char: string): void {
    if (!this.#takes(char)) this.#refuse();
  }

  #refuse(): never {
    throw new ParamError(`a query parameter cannot be read at character ${this.#at}`);
  }
}
