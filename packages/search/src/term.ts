/** Filters: a key, how it is compared, and a value that fits its type. */
import { type FunctionField, functionNames, readCall } from './functions.ts';
import type { FilterHead } from './head.ts';
import { findElsewhere, findKey, isKnown, type KeyType, keysOf, type SearchKey } from './keys.ts';
import { nearest } from './near.ts';
import { quotedEnd, runLength, unescapeQuotes, unquote, wordEnd } from './quotes.ts';
import { type Because, because } from './reasons.ts';
import { isComparable, readListed, readTyped } from './typed.ts';
import type { Comparison, DataSet, ParseOptions, SearchProblem, SearchTerm, SearchValue } from './types.ts';
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

/** What is said of a value that does not fit. */
const kinds = {
  text: { code: 'syntax', reason: 'takesText' },
  number: { code: 'invalid-number', reason: 'takesNumber' },
  integer: { code: 'invalid-number', reason: 'takesNumber' },
  rate: { code: 'invalid-number', reason: 'takesRate' },
  duration: { code: 'invalid-duration', reason: 'takesDuration' },
  size: { code: 'invalid-file-size', reason: 'takesSize' },
  percentage: { code: 'invalid-percentage', reason: 'takesPercentage' },
  date: { code: 'invalid-date-format', reason: 'takesDate' },
  boolean: { code: 'invalid-boolean', reason: 'takesBoolean' },
  version: { code: 'invalid-version', reason: 'takesVersion' },
} as const satisfies Readonly<Record<Exclude<KeyType, 'choice'>, Pick<SearchProblem, 'code' | 'reason'>>>;

type Refusal = Pick<SearchProblem, 'code' | 'reason' | 'values' | 'suggestions'>;

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
      return this.#refuse(head, raw.end, { code: 'syntax', ...because('negatedTwice', { name }) });
    }
    if (negated && this.#options.disallowNegation) {
      return this.#refuse(head, raw.end, { code: 'negation-not-allowed', ...because('negationNotAllowed') });
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

  #refuse({ name, start }: FilterHead, end: number, { code, reason, values, suggestions }: Refusal): ReadTerm {
    const why = { code, reason, values };
    this.#problems.push({ ...why, at: name, start, end, ...(suggestions?.length && { suggestions }) });
    return { end };
  }

  #refuseWildcard(head: FilterHead, end: number): ReadTerm {
    const why = because('wildcardsNotAllowedIn', { name: head.name });
    return this.#refuse(head, end, { code: 'wildcard-not-allowed', ...why });
  }

  #unfit(head: FilterHead, key: SearchKey | FunctionField, { end, list, text }: Raw): ReadTerm {
    const { name } = head;
    if (key.type !== 'choice') {
      const { code, reason } = isOrdered(key) ? kinds.version : kinds[key.type];
      const value = this.#query.slice(head.end, Math.min(end, head.end + 60));
      return this.#refuse(head, end, { code, ...because(reason, { name, value }) });
    }
    if (list) return this.#refuse(head, end, { code: 'list-not-allowed', ...because('oneValue', { name }) });
    const values = key.scope === 'aggregate' ? [] : (key.values ?? []);
    const near = this.#problems.length < maxSuggested ? nearest(text, values) : [];
    const [first] = near;
    const value = text.slice(0, 60);
    const why = first
      ? because('noSuchValueNear', { name, value, near: first })
      : because('noSuchValue', { name, value, values: values.slice(0, 8).join(', ') });
    const not = head.negated ? '!' : '';
    const suggestions = near.map((one) => `${not}${name}:${one}`);
    return this.#refuse(head, end, { code: 'unknown-value', ...why, suggestions });
  }

  #findKey(name: string, { negated, start, end }: FilterHead): SearchKey | Refusal {
    const written = this.#query.slice(start, end - 1);
    // In quotes too: they are there for the characters of the name.
    const { allowedKeys, keyTypes, anyDataSet } = this.#options;
    if (allowedKeys && !allowedKeys.includes(name)) {
      const near = this.#problems.length < maxSuggested ? nearest(name, allowedKeys) : [];
      const [first] = near;
      const why = first ? because('keyNotAllowedNear', { name, near: first }) : because('keyNotAllowed', { name });
      const suggestions = near.map(
        (one) => `${negated ? '!' : ''}${one}${this.#query.slice(end - 1, this.#valueEnd(end))}`,
      );
      return { code: 'invalid-key', ...why, suggestions };
    }
    const elsewhere = findElsewhere(name, this.#dataSet);
    if (elsewhere && !anyDataSet) return { code: 'invalid-key', ...nowhere(written, elsewhere) };
    const found = elsewhere ?? findKey(name, this.#dataSet);
    const type = keyTypes && Object.hasOwn(keyTypes, name) ? keyTypes[name] : undefined;
    const ordered = this.#options.orderedKeys?.includes(name);
    return type || ordered ? { ...found, ...(type && { type }), ...(ordered && { ordered }) } : found;
  }

  #findCall({ name, call, end }: FilterHead, operator: string): FunctionField | Refusal | undefined {
    if (!call) return undefined;
    // What compares with no amount is text that only looks like a call.
    if (!/^[+-]?\d/.test(this.#query.slice(end + operator.length, end + operator.length + 2))) return undefined;
    const { allowedKeys, anyDataSet } = this.#options;
    if (allowedKeys && !allowedKeys.includes(name)) {
      return { code: 'invalid-key', ...because('keyNotAllowed', { name }) };
    }
    const dataSets = anyDataSet ? (['spans', 'events'] as const) : [this.#dataSet];
    const readings = dataSets
      .map((dataSet) => readCall(call.name, call.inside, dataSet))
      .filter((one) => one !== undefined);
    const read = readings.find((one) => 'scope' in one) ?? readings[0];
    if (read) return read;
    if (readCall(call.name, call.inside, 'spans')) {
      const why =
        this.#dataSet === 'issues'
          ? because('aggregateOfIssues', { name })
          : because('spansOnly', { function: call.name });
      return { code: 'invalid-function', ...why };
    }
    const near = nearest(call.name, functionNames(this.#dataSet));
    const [first] = near;
    if (!first) return undefined;
    const why = because('noFunctionNear', { function: call.name, near: first });
    const rest = this.#query.slice(end - 1, this.#valueEnd(end));
    return { code: 'invalid-function', ...why, suggestions: near.map((one) => `${one}(${call.inside})${rest}`) };
  }

  #readHas(head: FilterHead): ReadTerm {
    const raw = this.#readRaw(head, head.end);
    if (!('text' in raw)) return raw;
    if (raw.list) {
      return this.#refuse(head, raw.end, { code: 'list-not-allowed', ...because('hasOneKey') });
    }
    if (!raw.text) {
      return this.#refuse(head, raw.end, { code: 'filter-must-have-value', ...because('hasNeedsKey') });
    }
    if (head.negated && this.#options.disallowNegation) {
      return this.#refuse(head, raw.end, { code: 'negation-not-allowed', ...because('negationNotAllowed') });
    }
    if (this.#options.disallowWildcard && hasWildcard(raw.text)) return this.#refuseWildcard(head, raw.end);
    const key = this.#findKey(raw.text, head);
    if ('code' in key) return this.#refuse(head, raw.end, key);
    if (isAlwaysThere(key) && !this.#options.anyDataSet) {
      return this.#refuse(head, raw.end, { code: 'unknown-value', ...because('alwaysThere', { name: raw.text }) });
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
      const why = because('emptyElement', { name });
      return this.#refuse(head, list.end, { code: 'empty-value-in-list-not-allowed', ...why });
    }
    const end = this.#valueEnd(at);
    const written = this.#query.slice(at, end);
    if (this.#query[at] === '"' && quotedEnd(this.#query, at) === end) {
      return { text: unquote(written), quoted: true, end };
    }
    if (hasStrayQuote(written)) {
      return this.#refuse(head, end, { code: 'must-be-quoted', ...because('strayQuote', { name }) });
    }
    if (!written) {
      return this.#refuse(head, end, { code: 'filter-must-have-value', ...because('needsValue', { name }) });
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

const nowhere = (name: string, { scope, place }: SearchKey): Because =>
  because(place.kind === 'nowhere' ? 'notSupported' : scope === 'issue' ? 'fieldOfIssues' : 'fieldOfSpans', { name });

/** Keys and functions that somebody who wrote this name is likely to have meant. */
export const similarKeys = (name: string, dataSet: DataSet): string[] =>
  isKnown(name, dataSet)
    ? []
    : nearest(
        name,
        keysOf(dataSet).map((key) => key.name),
      );
