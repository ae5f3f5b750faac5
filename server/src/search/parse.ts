/**
 * Reads a search query: filters `key:value` and free text, side by side. Never throws; every problem has its place,
 * and reading goes on after it. At most a hundred terms, so that even a query made to be
 * slow is read in a moment.
 *
 * Terms are joined by AND, which may be written. OR and parentheses around filters are recognised and refused.
 */
import { findKey, isAnnounced, isValues, type SearchKey } from './keys.ts';
import type { Comparison, ParsedSearch, ProblemCode, SearchProblem, SearchTerm, SearchValue } from './types.ts';
import { parseBoolean, parseDate, parseNumber } from './values.ts';

const maxLength = 4096;
const maxTerms = 100;

const keyPattern = /!?(?:"([^"\\\n]{1,200})"|(tags\[[^\]\s]{1,200}\]|[A-Za-z0-9_.-]{1,200})):/y;
const blank = /\s/;

export function parseSearch(query: string): ParsedSearch {
  if (query.length > maxLength) {
    const message = `the query is longer than ${maxLength} characters`;
    return { terms: [], problems: [{ code: 'too-long', message, start: 0, end: query.length }] };
  }
  return new Reader(query).read();
}

class Reader {
  readonly #query: string;
  readonly #terms: SearchTerm[] = [];
  readonly #problems: SearchProblem[] = [];
  #at = 0;
  /** Start and end of the run of words that is being read as free text. */
  #textStart = -1;
  #textEnd = -1;
  /** Place of a written AND that still waits for the term after it. */
  #operator: { start: number; end: number } | undefined;

  constructor(query: string) {
    this.#query = query;
  }

  read(): ParsedSearch {
    while (this.#skipBlanks()) {
      // Whatever stands there counts, or a query of nothing but mistakes could be looked at again and again.
      if (this.#terms.length + this.#problems.length >= maxTerms) {
        this.#problem('too-many-terms', `the query has more than ${maxTerms} terms`, this.#at, this.#query.length);
        break;
      }
      if (!this.#readOperator() && !this.#readFilter() && !this.#readQuotedText()) this.#readWord();
    }
    this.#endText();
    if (this.#operator) {
      this.#problem('syntax', 'the query may not end with AND', this.#operator.start, this.#operator.end);
    }
    return { terms: this.#terms, problems: this.#problems };
  }

  #problem(code: ProblemCode, message: string, start: number, end: number): void {
    this.#problems.push({ code, message, start, end });
  }

  #add(term: SearchTerm): void {
    this.#operator = undefined;
    this.#terms.push(term);
  }

  /** False at the end of the query. */
  #skipBlanks(): boolean {
    for (; this.#at < this.#query.length; this.#at += 1) {
      const character = this.#query[this.#at] ?? '';
      if (!blank.test(character)) return true;
      if (character === '\n' || character === '\r') {
        this.#endText();
        if (!this.#problems.some((problem) => problem.code === 'syntax')) {
          this.#problem('syntax', 'a line break must stand inside quotes', this.#at, this.#at + 1);
        }
      }
    }
    return false;
  }

  #wordEnd(from: number): number {
    let end = from;
    while (end < this.#query.length && !blank.test(this.#query[end] ?? '')) end += 1;
    return end;
  }

  #readOperator(): boolean {
    const end = this.#wordEnd(this.#at);
    if (end - this.#at > 3) return false;
    const word = this.#query.slice(this.#at, end).toUpperCase();
    if (word !== 'AND' && word !== 'OR') return false;
    this.#endText();
    const start = this.#at;
    this.#at = end;
    if (word === 'OR') {
      this.#problem('not-supported', 'OR is not supported yet; use a list, such as level:[error, fatal]', start, end);
    } else if (!this.#terms.length || this.#operator) {
      this.#problem('syntax', 'AND needs a term on both sides', start, end);
    } else {
      this.#operator = { start, end };
    }
    return true;
  }

  #readWord(): void {
    const start = this.#at;
    const end = this.#wordEnd(start);
    const open = /^\(+/.exec(this.#query.slice(start, end))?.[0].length ?? 0;
    keyPattern.lastIndex = start + open;
    if (open && keyPattern.test(this.#query)) {
      this.#endText();
      this.#problem('not-supported', 'parentheses are not supported yet', start, start + open);
      this.#at = start + open;
      return;
    }
    if (this.#textStart < 0) this.#textStart = start;
    this.#textEnd = this.#at = end;
  }

  #endText(): void {
    if (this.#textStart >= 0) {
      const [start, end] = [this.#textStart, this.#textEnd];
      this.#textStart = -1;
      this.#add({ kind: 'text', text: this.#query.slice(start, end), quoted: false, start, end });
    }
  }

  #readQuotedText(): boolean {
    if (this.#query[this.#at] !== '"') return false;
    const quoted = this.#readQuoted(this.#at);
    if (!quoted) return false;
    this.#endText();
    this.#add({ kind: 'text', text: quoted.text, quoted: true, start: this.#at, end: quoted.end });
    this.#at = quoted.end;
    return true;
  }

  /** The text between the quote at `start` and the next unescaped one; undefined when there is none. */
  #readQuoted(start: number): { text: string; end: number } | undefined {
    for (let at = start + 1; at < this.#query.length; at += 1) {
      if (this.#query[at] === '\\') at += 1;
      else if (this.#query[at] === '"') {
        return { text: this.#query.slice(start + 1, at).replaceAll('\\"', '"'), end: at + 1 };
      }
    }
    return undefined;
  }

  #readFilter(): boolean {
    keyPattern.lastIndex = this.#at;
    const match = keyPattern.exec(this.#query);
    if (!match) return false;
    const name = match[1] ?? match[2] ?? '';
    const start = this.#at;
    let at = keyPattern.lastIndex;
    // An address in free text is no filter called "https".
    if (/^https?$/i.test(name) && this.#query.startsWith('//', at)) return false;
    this.#endText();
    const key = findKey(name);
    const negated = match[0].startsWith('!');
    if (name === 'has') return this.#readHas(start, at, negated);

    const [operator, comparison, unequal] = this.#readComparison(at, key);
    at += operator;
    if (unequal && negated) {
      this.#problem('syntax', `"${name}" is negated twice; leave out the ! or the !=`, start, at);
    }
    const value = this.#readValue(at, name, key, comparison, start);
    if (isAnnounced(name)) {
      this.#problem('not-supported', `searching by "${name}" is not supported yet`, start, this.#at);
      return true;
    }
    if (value) this.#add({ kind: 'filter', name, key, negated: negated !== unequal, value, start, end: this.#at });
    return true;
  }

  /** Length of the operator at `at`, what it compares, and whether it is `!=`. */
  #readComparison(at: number, key: SearchKey): [number, Comparison | undefined, boolean] {
    if (this.#query.startsWith('!=', at)) return [2, undefined, true];
    if (key.type !== 'number' && key.type !== 'date') return [0, undefined, false];
    const operator = /^(>=|<=|>|<|=)/.exec(this.#query.slice(at, at + 2))?.[1];
    return [operator?.length ?? 0, operator as Comparison | undefined, false];
  }

  #readHas(start: number, at: number, negated: boolean): true {
    const raw = this.#readRaw(at, 'has', start);
    if (!raw) return true;
    if (raw.list || !raw.text) {
      this.#problem('filter-must-have-value', '"has:" needs the name of a tag or field', start, this.#at);
      return true;
    }
    const key = findKey(raw.text);
    if (key.place === 'issue' || key.place === 'project') {
      this.#problem('unknown-value', `every issue has "${raw.text}"`, start, this.#at);
      return true;
    }
    this.#add({ kind: 'has', name: raw.text, key, negated, start, end: this.#at });
    return true;
  }

  /** Reads one value as it stands and moves behind it; undefined after a problem. */
  #readRaw(
    at: number,
    name: string,
    start: number,
  ):
    | { text: string; quoted: boolean; list?: undefined }
    | { text: ''; list: readonly string[]; quoted: false }
    | undefined {
    if (this.#query[at] === '[') {
      const list = this.#readList(at);
      if (list) {
        this.#at = list.end;
        if (list.values.length) return { text: '', list: list.values, quoted: false };
        const message = `the list of "${name}" has an empty element; write "" for the empty text`;
        this.#problem('empty-value-in-list-not-allowed', message, start, list.end);
        return undefined;
      }
    }
    if (this.#query[at] === '"') {
      const quoted = this.#readQuoted(at);
      if (quoted) {
        this.#at = quoted.end;
        return { text: quoted.text, quoted: true };
      }
    }
    let end = at;
    let stray = false;
    for (; end < this.#query.length && !/[\s()]/.test(this.#query[end] ?? ''); end += 1) {
      if (this.#query[end] === '\\' && this.#query[end + 1] === '"') end += 1;
      else if (this.#query[end] === '"') stray = true;
    }
    this.#at = end;
    if (stray) {
      this.#problem('must-be-quoted', `quotes in the value of "${name}" must enclose it or be written \\"`, start, end);
      return undefined;
    }
    const text = this.#query.slice(at, end).replaceAll('\\"', '"');
    if (!text) {
      this.#problem('filter-must-have-value', `"${name}:" needs a value; "" stands for the empty one`, start, end);
      return undefined;
    }
    return { text, quoted: false };
  }

  /** Undefined when what begins with `[` is no list; no values when an element is empty. */
  #readList(start: number): { values: readonly string[]; end: number } | undefined {
    const values: string[] = [];
    let empty = false;
    for (let at = start + 1; at < this.#query.length;) {
      while (this.#query[at] === ' ') at += 1;
      let value: string;
      if (this.#query[at] === '"') {
        const quoted = this.#readQuoted(at);
        if (!quoted) return undefined;
        value = quoted.text;
        at = quoted.end;
      } else {
        const from = at;
        while (at < this.#query.length && !/[\s,"()]/.test(this.#query[at] ?? '')) {
          if (this.#query[at] === ']' && this.#endsValue(at + 1)) break;
          at += 1;
        }
        value = this.#query.slice(from, at);
        if (!value) empty = true;
      }
      values.push(value);
      while (this.#query[at] === ' ') at += 1;
      if (this.#query[at] === ']' && this.#endsValue(at + 1)) {
        if (values.length === 1 && empty) return undefined;
        return { values: empty ? [] : values, end: at + 1 };
      }
      if (this.#query[at] !== ',') return undefined;
      at += 1;
    }
    return undefined;
  }

  #endsValue(at: number): boolean {
    return at >= this.#query.length || /[\s)]/.test(this.#query[at] ?? '');
  }

  #readValue(
    at: number,
    name: string,
    key: SearchKey,
    comparison: Comparison | undefined,
    start: number,
  ): SearchValue | undefined {
    const raw = this.#readRaw(at, name, start);
    if (!raw) return undefined;
    const refuse = (code: ProblemCode, expected: string): undefined => {
      const given = this.#query.slice(at, this.#at);
      this.#problem(code, `"${name}" is ${expected}, not ${given}`, start, this.#at);
    };
    switch (key.type) {
      case 'number': {
        const numbers = (raw.list ?? [raw.text]).map(parseNumber).filter((number) => number !== undefined);
        const [number] = numbers;
        if (number === undefined || numbers.length !== (raw.list?.length ?? 1)) {
          return refuse('invalid-number', 'a number, such as 12 or >1k');
        }
        return raw.list
          ? { type: 'numbers', values: numbers }
          : { type: 'number', comparison: comparison ?? '=', number };
      }
      case 'boolean': {
        const value = raw.list ? undefined : parseBoolean(raw.text);
        return value === undefined ? refuse('invalid-boolean', 'true or false') : { type: 'boolean', value };
      }
      case 'date': {
        const value = raw.list ? undefined : parseDate(raw.text, comparison);
        return value ?? refuse('invalid-date-format', 'a time such as -24h, +7d or >2026-02-03');
      }
      case 'is': {
        if (raw.list) return refuse('list-not-allowed', 'given once for each value');
        if (!isValues.has(raw.text))
          return refuse('unknown-value', `one of ${[...isValues.keys()].slice(0, 8).join(', ')}`);
        return { type: 'text', text: raw.text, quoted: raw.quoted, wildcard: false };
      }
      case 'text':
        if (raw.list) return { type: 'list', values: raw.list };
        return { type: 'text', text: raw.text, quoted: raw.quoted, wildcard: /(?<!\\)\*/.test(raw.text) };
    }
  }
}
