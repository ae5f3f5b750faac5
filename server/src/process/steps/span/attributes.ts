/** From the attributes of a sender to those that are stored: renamed, scrubbed, bounded, texts apart from numbers. */
import { parseJson } from '../decode.ts';
import { cutText } from '../limits.ts';
import { Remarks } from '../remarks.ts';
import { BagCleaner, scrubField, scrubRules, scrubText } from '../scrub/index.ts';
import type { ScrubSettings } from '../scrub/index.ts';
import type { SentAttributes, SpanRemark } from './input.ts';
import { AttributeList } from './attribute-list.ts';
import {
  canonicalName,
  clientAddressNames,
  type ColumnName,
  idNames,
  isColumnName,
  isConvention,
  isHarmlessName,
  noColumns,
  numericNames,
} from './names.ts';

const maxAttributes = 250;
const maxName = 200;
const maxValue = { max: 2000, allowance: 0 };
/** Of a list or an object, before it is written as JSON and cut as a text. */
const bagLimit = { maxSize: 4000, maxDepth: 6, maxText: 2000, maxEntries: 500 };
const filtered = '[Filtered]';

type Rules = ReturnType<typeof scrubRules>;

/** What is to be done with a name; the same for each span, so it is worked out once. */
interface Handling {
  readonly name: string;
  readonly column: ColumnName | undefined;
  readonly numeric: boolean;
  readonly key: 'plain' | 'sensitive' | 'safe';
  readonly text: 'bag' | 'message' | 'id' | 'address' | 'body' | 'cookies';
  readonly place: Place;
  /** The text that came under it last, and as what it is stored: one program says the same of all its spans. */
  lastSent: string;
  lastText: string;
}

/** Whether the span that is being read has the stored name, which several sent ones may share. */
interface Place {
  /** Of the reading that stored it last. */
  reading: number;
  /** Whether as a text. */
  text: boolean;
}

export interface ReadAttributes {
  readonly attributes: Record<string, string>;
  readonly numbers: Record<string, number>;
  /** Values of the names that are columns, not scrubbed. */
  readonly columns: Readonly<Record<ColumnName, unknown>>;
}

/** What is known of names under some rules. */
interface Names {
  readonly sent: Map<string, Handling>;
  readonly places: Map<string, Place>;
}

const namesOfRules = new WeakMap<Rules, Names>();
const maxHandlings = 5000;
/** Longer texts rarely come again. */
const longestKnown = 300;
/** Counts what was read. */
let reading = 0;

/** `add` gets a remark for what was cut or left out. */
export function readAttributes(
  sent: SentAttributes,
  settings: ScrubSettings,
  add: (remark: SpanRemark) => void,
): ReadAttributes {
  const reader = new Reader(scrubRules(settings), add);
  if (sent instanceof AttributeList) {
    const { names, values } = sent;
    for (let index = 0; index < names.length; index++) reader.take(names[index] ?? '', values[index]);
  } else for (const name in sent) reader.take(name, sent[name]);
  reader.end();
  return reader;
}

class Reader implements ReadAttributes {
  readonly attributes: Record<string, string> = {};
  readonly numbers: Record<string, number> = {};
  readonly columns: Record<ColumnName, unknown> = { ...noColumns };
  readonly #rules: Rules;
  readonly #names: Names;
  readonly #add: (remark: SpanRemark) => void;
  readonly #reading = ++reading;
  #count = 0;
  #left = 0;

  constructor(rules: Rules, add: (remark: SpanRemark) => void) {
    this.#rules = rules;
    this.#names = namesOf(rules);
    this.#add = add;
  }

  take(sent: string, value: unknown): void {
    if (value === undefined || value === null) return;
    const handling = this.#names.sent.get(sent) ?? handlingOf(sent, this.#names, this.#rules);
    if (handling === undefined) {
      this.#left++;
      return;
    }
    const { name, column, place } = handling;
    const old = name !== sent;
    if (column !== undefined) {
      if (!old || this.columns[column] === undefined) this.columns[column] = value;
      return;
    }
    const known = place.reading === this.#reading;
    // The name of today wins over the names of before, whichever comes first.
    if (known && old) return;
    if (!known && this.#count >= maxAttributes) {
      this.#left++;
      return;
    }
    const number = handling.key === 'sensitive' ? undefined : numberOf(value, handling, this.#rules);
    if (number !== undefined) {
      this.numbers[name] = number;
      if (known && place.text) delete this.attributes[name];
      place.text = false;
    } else {
      const text = textOf(value, handling, this.#rules, this.#add);
      if (text === undefined) return;
      this.attributes[name] = text;
      place.text = true;
    }
    if (known) return;
    place.reading = this.#reading;
    this.#count++;
  }

  end(): void {
    if (this.#left > 0) this.#add({ field: 'attributes', what: 'cut', was: this.#count + this.#left });
  }
}

/** Forgotten between two spans only: within one, a place says what the span has. */
function namesOf(rules: Rules): Names {
  let names = namesOfRules.get(rules);
  if (!names || names.sent.size >= maxHandlings) {
    names = { sent: new Map(), places: new Map() };
    namesOfRules.set(rules, names);
  }
  return names;
}

function handlingOf(sent: string, { sent: known, places }: Names, rules: Rules): Handling | undefined {
  if (sent === '' || sent.length > maxName) return undefined;
  const clean = sent.includes('\0') ? sent.replaceAll('\0', '\uFFFD') : sent;
  const name = canonicalName(clean.toWellFormed());
  if (name === '__proto__') return undefined;
  let place = places.get(name);
  if (!place) places.set(name, (place = { reading: 0, text: false }));
  const handling: Handling = {
    name,
    column: isColumnName(name) ? name : undefined,
    numeric: numericNames.has(name),
    key: isHarmlessName(name) ? 'plain' : keyOf(clean, name, rules),
    text: textRule(name),
    place,
    lastSent: '',
    lastText: '',
  };
  known.set(sent, handling);
  return handling;
}

const cookieHeader = 'http.request.header.cookie';

function keyOf(sent: string, name: string, rules: Rules): Handling['key'] {
  const kinds = [rules.key(name), sent === name ? 'plain' : rules.key(sent)];
  if (kinds.includes('safe')) return 'safe';
  const cookie = name.startsWith(`${cookieHeader}.`) ? rules.cookie(name.slice(cookieHeader.length + 1)) : 'plain';
  return kinds.includes('sensitive') || cookie === 'sensitive' ? 'sensitive' : 'plain';
}

function textRule(name: string): Handling['text'] {
  if (clientAddressNames.has(name)) return 'address';
  if (idNames.has(name)) return 'id';
  if (name === cookieHeader || name === 'http.response.header.set-cookie') return 'cookies';
  if (name === 'http.request.body.data' || name === 'http.response.body.data') return 'body';
  return isConvention(name) ? 'message' : 'bag';
}

function numberOf(value: unknown, handling: Handling, rules: Rules): number | undefined {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? numberOf(number, handling, rules) : undefined;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined;
    // A card number sent as a number is a card number still; `textOf` takes it out.
    const plain = value < 1e12 || handling.numeric || handling.key === 'safe' || !rules.defaults;
    return plain || scrubText(String(value), 'bag', rules) === String(value) ? value : undefined;
  }
  if (!handling.numeric || typeof value !== 'string' || value.length > 40) return undefined;
  const number = Number.parseFloat(value);
  return Number.isFinite(number) ? number : undefined;
}

function textOf(
  value: unknown,
  handling: Handling,
  rules: Rules,
  add: (remark: SpanRemark) => void,
): string | undefined {
  const { name, key, text: rule } = handling;
  if (key === 'sensitive') return value === '' ? '' : filtered;
  if (rule === 'address' && rules.removeAddresses) return undefined;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    return Number.isFinite(Number(value)) ? scrubText(String(value), 'bag', rules) : undefined;
  }
  if (typeof value === 'string') {
    if (value.length <= longestKnown) {
      if (value === handling.lastSent) return handling.lastText;
      const made = scrubbed(wellFormed(rule === 'message' ? value.trimEnd() : value), handling, rules);
      handling.lastSent = value;
      handling.lastText = cutText(made, maxValue);
      return handling.lastText;
    }
    const bounded = value.length > maxValue.max * 10 ? value.slice(0, maxValue.max * 10) : value;
    // Versions come with the line break that they were read with.
    const text = scrubbed(wellFormed(rule === 'message' ? bounded.trimEnd() : bounded), handling, rules);
    if (value.length > maxValue.max) add({ field: name, what: 'cut', was: value.length });
    return cutText(text, maxValue);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const json = listOrObject(value, handling, rules);
  if (json.length > maxValue.max) add({ field: name, what: 'cut', was: json.length });
  return cutText(json, maxValue);
}

function scrubbed(text: string, { key, text: rule }: Handling, rules: Rules): string {
  if (key === 'safe' || !rules.active) {
    return rules.removeAddresses && rule === 'message' ? scrubText(text, 'message', rules) : text;
  }
  if (rule === 'id' || rule === 'address') return scrubField(text, 'id', rules);
  if (rule === 'cookies') return scrubCookies(text, rules);
  if (rule === 'body') return scrubBody(text, rules);
  return scrubText(text, rule, rules);
}

/** `a=1; b=2`: cookies that hold a session lose their value. */
function scrubCookies(text: string, rules: Rules): string {
  const cookies = text.split(';', 200).map((part) => {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim();
    return equals >= 0 && rules.cookie(name) === 'sensitive' ? `${part.slice(0, equals)}=${filtered}` : part;
  });
  return scrubText(cookies.join(';'), 'message', rules);
}

/** JSON is taken apart, so that its keys are looked at. */
function scrubBody(text: string, rules: Rules): string {
  const first = text.trimStart()[0];
  if (first === '{' || first === '[') {
    try {
      return JSON.stringify(new BagCleaner(rules, new Remarks()).clean(parseJson(text), bagLimit));
    } catch {
      // Cut by the sender, or no JSON after all: a text.
    }
  }
  return scrubText(text, 'message', rules);
}

function listOrObject(value: object, handling: Handling, rules: Rules): string {
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) {
    // Headers are lists of one nearly always.
    if (value.length === 1 && isHeader(handling.name))
      return scrubbed(wellFormed(cutText(value[0] ?? '', maxValue)), handling, rules);
    const entries: string[] = [];
    for (const entry of value.slice(0, 500))
      entries.push(scrubbed(wellFormed(cutText(entry, maxValue)), handling, rules));
    return JSON.stringify(entries);
  }
  // In place: a copy would have to go as deep as the sender likes.
  return JSON.stringify(new BagCleaner(rules, new Remarks()).clean(value, bagLimit)) ?? '';
}

const isHeader = (name: string): boolean => /^http\.(?:request|response)\.header\./.test(name);

function wellFormed(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed();
}
