/** Filters: a key, how it is compared, and a value that fits its type. */
import { type FunctionField, functionNames, readCall } from './functions.ts';
import type { FilterHead } from './head.ts';
import { findElsewhere, findKey, isKnown, type KeyType, keysOf, type SearchKey } from './keys.ts';
import { nearest } from './near.ts';
import { quotedEnd, runLength, unescapeQuotes, unquote, wordEnd } from './quotes.ts';
import { isComparable, readListed, readTyped } from './typed.ts';
import type {
  Comparison,
  DataSet,
  ParseOptions,
  ProblemCode,
  SearchProblem,
  SearchTerm,
  SearchValue,
} from './types.ts';
import { literal } from './term-text.ts';
import { hasWildcard, readOrdered } from './values.ts';

interface Raw {
  readonly text: string;
  readonly quoted: boolean;
  readonly list?: readonly string[];
  readonly end: number;
}

/** What was read up to `end`; without a term there was a problem, or nothing is asked for. */
export interface ReadTerm {
  readonly end: number;
  readonly term?: SearchTerm;
}

interface Kind {
  readonly code: ProblemCode;
  /** What the value should be, with an example. */
  readonly expected: string;
}

const kinds: Readonly<Record<KeyType, Kind>> = {
  text: { code: 'syntax', expected: 'a text' },
  choice: { code: 'unknown-value', expected: 'one of its values' },
  number: { code: 'invalid-number', expected: 'a number, such as 12 or >1k' },
  integer: { code: 'invalid-number', expected: 'a number, such as 12 or >1k' },
  rate: { code: 'invalid-number', expected: 'a number, such as >0.5' },
  duration: { code: 'invalid-duration', expected: 'a duration, such as >300ms or <2s' },
  size: { code: 'invalid-file-size', expected: 'a size, such as >100kb' },
  percentage: { code: 'invalid-percentage', expected: 'a percentage, such as >5%' },
  date: { code: 'invalid-date-format', expected: 'a time, such as -24h, +7d or >2026-02-03' },
  boolean: { code: 'invalid-boolean', expected: 'true or false' },
  version: { code: 'invalid-version', expected: 'a version, such as >1.2.3 or 1.2.*' },
};

/** As Sentry's own search box writes "contains" and the like. */
const marker = /^\uf00d(DoesNot)?(Contain|StartsWith|StartWith|EndsWith|EndWith)s?\uf00d/;

/** Blanks that may stand in a list. */
const inLine = /[^\S\r\n]/;

/** Of a list, without quotes; a bracket that does not end the value is part of it. */
const element = /(?:[^\s,"()\]]|\](?![\s()]|$))*/y;

/** For more of them it is not worth the time. */
const maxSuggested = 10;

/** Fields of issues that not every issue has. */
const optionalFields: ReadonlySet<string> = new Set([
  'first_release',
  'assigned',
  'assigned_or_suggested',
  'bookmarks',
  'subscribed',
]);

const isAlwaysThere = ({ place }: SearchKey): boolean =>
  place.kind === 'project' || (place.kind === 'issue' && !optionalFields.has(place.field));

export class TermReader {
  readonly #query: string;
  readonly #dataSet: DataSet;
  readonly #options: ParseOptions;
  readonly #problems: SearchProblem[];
  /** What begins before it would end where one has ended already that was no list. */
  #noListBefore = 0;

  constructor(query: string, dataSet: DataSet, options: ParseOptions, problems: SearchProblem[]) {
    this.#query = query;
    this.#dataSet = dataSet;
    this.#options = options;
    this.#problems = problems;
  }

  /** Whether the head is that of a filter, good or bad, and not of text which only looks like a call. */
  isFilter(head: FilterHead): boolean {
    return !head.call || this.#findCall(head, operatorAt(this.#query, head.end)) !== undefined;
  }

  /** Undefined when the head is that of text. */
  read(head: FilterHead): ReadTerm | undefined {
    const { name, end } = head;
    if (name === 'has') return this.#readHas(head);
    const operator = operatorAt(this.#query, end);
    const key = head.call ? this.#findCall(head, operator) : this.#findKey(name, head);
    if (!key) return undefined;
    if ('code' in key) return this.#refuse(head, this.#valueEnd(end + operator.length), key);

    const compared = operator === '!=' || operator === '=' || isComparable(key.type) || isOrdered(key);
    const raw = this.#readRaw(head, compared ? end + operator.length : end);
    if (!('text' in raw)) return raw;
    if (key.type === 'boolean' && operator && !compared) return this.#unfit(head, key, raw);
    const unequal = operator === '!=';
    const contained = raw.list || raw.quoted ? null : marker.exec(raw.text);
    const negated = (head.negated !== unequal) !== Boolean(contained?.[1]);
    if (unequal && head.negated) {
      return this.#refuse(head, raw.end, {
        code: 'syntax',
        message: `"${name}" is negated twice. Remove ! or !=`,
      });
    }
    if (negated && this.#options.disallowNegation) {
      return this.#refuse(head, raw.end, { code: 'negation-not-allowed', message: 'negation is not allowed here' });
    }
    const comparison = compared && operator && !unequal ? (operator as Comparison) : undefined;
    const value = this.#readValue(key, contained ? withStars(raw, contained) : raw, comparison);
    if (!value) return this.#unfit(head, key, raw);
    if (this.#options.disallowWildcard && (raw.list ?? [raw.text]).some(hasWildcard)) {
      return this.#refuseWildcard(head, raw.end);
    }
    const place = { start: head.start, end: raw.end };
    const valuePlace = { start: end, end: raw.end };
    const spelled = key.scope === 'aggregate' ? key.name : name;
    return { end: raw.end, term: { kind: 'filter', name: spelled, key, negated, value, valuePlace, ...place } };
  }

  #refuse(
    { name, start }: FilterHead,
    end: number,
    { code, message, suggestions }: Pick<SearchProblem, 'code' | 'message' | 'suggestions'>,
  ): ReadTerm {
    this.#problems.push({ code, message, at: name, start, end, ...(suggestions?.length && { suggestions }) });
    return { end };
  }

  #refuseWildcard(head: FilterHead, end: number): ReadTerm {
    const message = `wildcards are not allowed in "${head.name}"`;
    return this.#refuse(head, end, { code: 'wildcard-not-allowed', message });
  }

  #unfit(head: FilterHead, key: SearchKey | FunctionField, { end, list, text }: Raw): ReadTerm {
    const { code, expected } = isOrdered(key) ? kinds.version : kinds[key.type];
    const { name } = head;
    if (key.type !== 'choice') {
      const typed = this.#query.slice(head.end, Math.min(end, head.end + 60));
      return this.#refuse(head, end, { code, message: `"${name}" is ${expected}, not ${typed}` });
    }
    if (list) {
      return this.#refuse(head, end, {
        code: 'list-not-allowed',
        message: `"${name}" accepts one value. Join several with OR`,
      });
    }
    const values = key.scope === 'aggregate' ? [] : (key.values ?? []);
    const near = this.#problems.length < maxSuggested ? nearest(text, values) : [];
    const hint = near.length ? `Did you mean ${near.join(' or ')}?` : `Use one of ${values.slice(0, 8).join(', ')}`;
    const message = `"${name}" has no value "${text.slice(0, 60)}". ${hint}`;
    const not = head.negated ? '!' : '';
    return this.#refuse(head, end, { code, message, suggestions: near.map((value) => `${not}${name}:${value}`) });
  }

  #findKey(
    name: string,
    { negated, start, end }: FilterHead,
  ): SearchKey | Pick<SearchProblem, 'code' | 'message' | 'suggestions'> {
    const written = this.#query.slice(start, end - 1);
    // In quotes too: they are there for the characters of the name.
    const { allowedKeys, keyTypes, anyDataSet } = this.#options;
    if (allowedKeys && !allowedKeys.includes(name)) {
      const near = this.#problems.length < maxSuggested ? nearest(name, allowedKeys) : [];
      const hint = near.length ? `. Did you mean ${near.join(' or ')}?` : '';
      const suggestions = near.map(
        (one) => `${negated ? '!' : ''}${one}${this.#query.slice(end - 1, this.#valueEnd(end))}`,
      );
      return { code: 'invalid-key', message: `"${name}" cannot be used here${hint}`, suggestions };
    }
    const elsewhere = findElsewhere(name, this.#dataSet);
    if (elsewhere && !anyDataSet) return { code: 'invalid-key', message: nowhere(written, elsewhere) };
    const found = elsewhere ?? findKey(name, this.#dataSet);
    const type = keyTypes && Object.hasOwn(keyTypes, name) ? keyTypes[name] : undefined;
    const ordered = this.#options.orderedKeys?.includes(name);
    return type || ordered ? { ...found, ...(type && { type }), ...(ordered && { ordered }) } : found;
  }

  #findCall(
    { name, call, end }: FilterHead,
    operator: string,
  ): FunctionField | Pick<SearchProblem, 'code' | 'message' | 'suggestions'> | undefined {
    if (!call) return undefined;
    // What compares with no amount is text that only looks like a call.
    if (!/^[+-]?\d/.test(this.#query.slice(end + operator.length, end + operator.length + 2))) return undefined;
    const { allowedKeys, anyDataSet } = this.#options;
    if (allowedKeys && !allowedKeys.includes(name)) {
      return { code: 'invalid-key', message: `"${name}" cannot be used here` };
    }
    const dataSets = anyDataSet ? (['spans', 'events'] as const) : [this.#dataSet];
    const readings = dataSets
      .map((dataSet) => readCall(call.name, call.inside, dataSet))
      .filter((one) => one !== undefined);
    const read = readings.find((one) => 'scope' in one) ?? readings[0];
    if (read) return read;
    if (readCall(call.name, call.inside, 'spans')) {
      const issues = this.#dataSet === 'issues';
      const message = issues
        ? `"${name}" is an aggregate, which issue searches do not support. Use timesSeen or userCount`
        : `${call.name}() works for spans only`;
      return { code: 'invalid-function', message };
    }
    const names = functionNames(this.#dataSet);
    const near = nearest(call.name, names);
    if (!near.length) return undefined;
    const message = `there is no function ${call.name}(); did you mean ${near.map((one) => `${one}()`).join(' or ')}?`;
    const rest = this.#query.slice(end - 1, this.#valueEnd(end));
    return { code: 'invalid-function', message, suggestions: near.map((one) => `${one}(${call.inside})${rest}`) };
  }

  #readHas(head: FilterHead): ReadTerm {
    const raw = this.#readRaw(head, head.end);
    if (!('text' in raw)) return raw;
    if (raw.list) {
      return this.#refuse(head, raw.end, { code: 'list-not-allowed', message: '"has" accepts one key' });
    }
    if (!raw.text) {
      return this.#refuse(head, raw.end, {
        code: 'filter-must-have-value',
        message: '"has" needs the name of a tag or field',
      });
    }
    if (head.negated && this.#options.disallowNegation) {
      return this.#refuse(head, raw.end, { code: 'negation-not-allowed', message: 'negation is not allowed here' });
    }
    if (this.#options.disallowWildcard && hasWildcard(raw.text)) return this.#refuseWildcard(head, raw.end);
    const key = this.#findKey(raw.text, head);
    if ('code' in key) return this.#refuse(head, raw.end, key);
    if (isAlwaysThere(key) && !this.#options.anyDataSet) {
      return this.#refuse(head, raw.end, { code: 'unknown-value', message: `every issue has "${raw.text}"` });
    }
    const { negated, start } = head;
    return { end: raw.end, term: { kind: 'has', name: raw.text, key, negated, start, end: raw.end } };
  }

  #valueEnd(from: number): number {
    if (this.#query[from] === '"') {
      const end = quotedEnd(this.#query, from);
      if (end >= 0) return end;
    }
    return wordEnd(this.#query, from);
  }

  /** One value as it stands; after a problem only where it ends. */
  #readRaw(head: FilterHead, at: number): Raw | ReadTerm {
    const { name } = head;
    const list = this.#query[at] === '[' ? this.#readList(at) : undefined;
    if (list?.values) return { text: '', quoted: false, list: list.values, end: list.end };
    if (list) {
      return this.#refuse(head, list.end, {
        code: 'empty-value-in-list-not-allowed',
        message: `the list of "${name}" has an empty element. Write "" for the empty text`,
      });
    }
    const end = this.#valueEnd(at);
    const written = this.#query.slice(at, end);
    if (this.#query[at] === '"' && quotedEnd(this.#query, at) === end) {
      return { text: unquote(written), quoted: true, end };
    }
    if (hasStrayQuote(written)) {
      return this.#refuse(head, end, {
        code: 'must-be-quoted',
        message: `quotes in the value of "${name}" must enclose it or be written \\"`,
      });
    }
    if (!written) {
      return this.#refuse(head, end, {
        code: 'filter-must-have-value',
        message: `"${name}:" needs a value. Write "" for the empty text`,
      });
    }
    return { text: unescapeQuotes(written), quoted: false, end };
  }

  /** Undefined when what begins with `[` is no list; without values when an element is empty. */
  #readList(start: number): { values?: readonly string[]; end: number } | undefined {
    if (start < this.#noListBefore) return undefined;
    const values: string[] = [];
    let empty = false;
    let at = start + 1;
    while (at < this.#query.length) {
      while (inLine.test(this.#query[at] ?? '')) at += 1;
      const from = at;
      if (this.#query[at] === '"') {
        at = quotedEnd(this.#query, at);
        if (at < 0) break;
        values.push(unquote(this.#query.slice(from, at)));
      } else {
        element.lastIndex = at;
        at += element.exec(this.#query)?.[0].length ?? 0;
        empty ||= at === from;
        values.push(this.#query.slice(from, at));
      }
      while (inLine.test(this.#query[at] ?? '')) at += 1;
      if (this.#closesList(at)) {
        // Two brackets and nothing between them are a text.
        if (empty && values.length === 1) return undefined;
        return empty ? { end: at + 1 } : { values, end: at + 1 };
      }
      if (this.#query[at] !== ',') break;
      at += 1;
    }
    this.#noListBefore = at < 0 ? this.#query.length : at;
    return undefined;
  }

  #closesList(at: number): boolean {
    return this.#query[at] === ']' && /^[\s()]?$/.test(this.#query[at + 1] ?? '');
  }

  /** Undefined when it does not fit the type. */
  #readValue(key: SearchKey | FunctionField, raw: Raw, comparison: Comparison | undefined): SearchValue | undefined {
    const { text, list, quoted } = raw;
    if (list) return readListed(key.type, list, comparison);
    if (isOrdered(key) && comparison && comparison !== '=') return readOrdered(text, comparison);
    if (key.type === 'choice' && (key.scope === 'aggregate' || !key.values?.includes(text))) return undefined;
    const value = readTyped(key.type, text, quoted, comparison);
    if (value || !key.name.startsWith('measurements.') || isKnown(key.name, this.#dataSet)) return value;
    // A measurement that nothing is known of may be any amount.
    return readTyped('duration', text, quoted, comparison) ?? readTyped('size', text, quoted, comparison);
  }
}

const isOrdered = (key: SearchKey | FunctionField): boolean => 'ordered' in key && key.ordered === true;

const operatorAt = (query: string, at: number): string => /^(?:!=|[<>]=?|=)/.exec(query.slice(at, at + 2))?.[0] ?? '';

/** A quote that no backslash makes a character like any other. */
function hasStrayQuote(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const run = runLength(text, at);
    if (text[at + run] === '"' && run % 2 === 0) return true;
    at += run;
  }
  return false;
}

function withStars(raw: Raw, [whole, , how = '']: RegExpExecArray): Raw {
  const rest = literal(raw.text.slice(whole.length));
  const text = how.startsWith('Contain') ? `*${rest}*` : how.startsWith('Start') ? `${rest}*` : `*${rest}`;
  return { ...raw, text };
}

const nowhere = (written: string, { scope, place }: SearchKey): string =>
  place.kind === 'nowhere'
    ? `searching by "${written}" is not supported yet`
    : scope === 'issue'
      ? `"${written}" is a field of issues, not of events and spans. Use tags[${written}] for a tag`
      : `"${written}" is a field of spans. Use tags[${written}] for a tag`;

/** Keys and functions that somebody who wrote this name is likely to have meant. */
export const similarKeys = (name: string, dataSet: DataSet): string[] =>
  isKnown(name, dataSet)
    ? []
    : nearest(
        name,
        keysOf(dataSet).map((key) => key.name),
      );
