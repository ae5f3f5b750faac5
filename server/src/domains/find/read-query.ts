/**
 * Reads a pasted text: what it names, and where in it. Pure, never throws, and linear in the length of the text: each
 * pattern is bounded and begins where the one before it cannot go on.
 */
import { readHost, readPlace } from './address.ts';
import { maskNoise } from './mask.ts';
import { nameOfStack, stackIn } from './stack.ts';

export type UnderstoodKind =
  | 'digest'
  | 'event'
  | 'trace'
  | 'span'
  | 'issue'
  | 'stack'
  | 'host'
  | 'path'
  | 'side'
  | 'release'
  | 'words';

export interface Understood {
  readonly kind: UnderstoodKind;
  /** In its plain form: digits without a suffix, ids in lower case without dashes; browser or server for a side; the error of a stack. */
  readonly value: string;
  /** Offsets in the text that was read, UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** What else it may be, to be tried when nothing has it as `kind`. */
  readonly orElse?: 'trace' | 'issue';
}

export interface ReadOptions {
  /** Hosts under which Culprit itself is reached, with their port where it has one. */
  readonly ownHosts: readonly string[];
  /** Prefixes of short ids: only these make `SHOP-42` an issue and leave `UTF-8` alone. */
  readonly prefixes: readonly string[];
}

/** Longest text that is read, UTF-16 units. */
export const maxQueryLength = 65_536;
/** Of one kind; who pastes a whole log means its beginning. */
const maxOfKind = 3;
const maxWords = 200;

/** In the order in which they are tried; parts that were removed stay in their places as blanks. */
export function readQuery(text: string, options: ReadOptions): Understood[] {
  return read(text, options, readInner);
}

/** Of an address of Find itself; addresses in it are not followed further, or they could be nested without end. */
const readInner: ReadText = (text, options) => read(text, options, () => []);

type ReadText = (text: string, options: ReadOptions) => Understood[];

function read(text: string, options: ReadOptions, inner: ReadText): Understood[] {
  const reader = new Reader(maskNoise(text.slice(0, maxQueryLength)), options, inner);
  reader.readScreen();
  reader.readAddresses();
  reader.readDigests();
  reader.readIds();
  reader.readIssues();
  reader.readStack(text.slice(0, maxQueryLength));
  reader.readRest();
  return reader.found.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.start - b.start);
}

const order: readonly UnderstoodKind[] = [
  'host',
  'path',
  'side',
  'digest',
  'event',
  'trace',
  'span',
  'issue',
  'stack',
  'release',
  'words',
];

// Between a label and its value: punctuation of prose, of objects that were logged, and of addresses.
const between = `[\\s:=#"'’\`(\\[{>]{1,80}`;
const patterns = {
  side: /\ba {1,40}(client|server)-side {1,40}exception\b/gi,
  host: /\bwhile {1,40}loading {1,40}([^\s()<>"']{1,300})/gi,
  // The card of Next.js 16.2 and later. Its apostrophe may have been typed.
  card: /\bpage {1,40}couldn(?:.|&[#\w]{1,8};)t {1,40}load\b/gi,
  cardOfServer: /\ba {1,40}server {1,40}error {1,40}occurred\b/gi,
  url: /\bhttps?:\/\/[^\s<>"'`]{1,2048}/gi,
  labelled: new RegExp(`\\bdigest${between}(\\d{1,20})(?!\\w)(?:@E\\d{1,9})?`, 'gi'),
  suffixed: /(?<![\w@.-])(\d{1,10})@E\d{1,9}\b/g,
  // `HTTP ERROR 500` is what browsers say of an empty answer.
  numbered: /(?<!\bhttp[ _-]{0,40})\berror[ :]{1,80}(\d{1,10})(?!\w|\.\d)/gi,
  id: /(?<![0-9a-z])(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9a-z@])/gi,
  span: /(?<![0-9a-z])[0-9a-f]{16}(?![0-9a-z])/gi,
  shortId: /(?<![\w-])([A-Z0-9]{1,30}(?:-[A-Z0-9]{1,30}){0,6})-(\d{1,9})(?![\w-])/gi,
  issue: /\bissue[ #:]{1,20}(\d{1,9})(?![\w.-])/gi,
} as const;

const labelOfTrace = /trace(?:parent|[ _-]?id)?[\s:="'-]{0,8}(?:00-)?$/i;
/** As in the headers `sentry-trace` and `traceparent`. */
const spanAfterTrace = /^-[0-9a-f]{16}(?![0-9a-z])/i;

class Reader {
  readonly found: Understood[] = [];
  readonly #text: string;
  readonly #options: ReadOptions;
  readonly #inner: ReadText;

  constructor(text: string, options: ReadOptions, inner: ReadText) {
    this.#text = text;
    this.#options = options;
    this.#inner = inner;
  }

  readScreen(): void {
    for (const match of this.#matches(patterns.side)) {
      this.#add('side', match[1]?.toLowerCase() === 'server' ? 'server' : 'browser', match.index, match[0].length);
    }
    for (const match of this.#matches(patterns.host)) {
      const host = readHost(match[1] ?? '');
      const at = match.index + match[0].length - (match[1]?.length ?? 0);
      if (host) this.#add('host', host.name, at, host.length);
    }
    const [card] = this.#matches(patterns.card);
    if (!card) return;
    const [failed] = this.#matches(patterns.cardOfServer);
    const { index, 0: words } = failed ?? card;
    this.#add('side', failed ? 'server' : 'browser', index, words.length);
  }

  readAddresses(): void {
    const [start, end] = this.#edges();
    // A path alone can only be one of our own pages.
    const own = /^\/[^\s]{1,2048}$/.test(this.#text.slice(start, end));
    const matches = own ? [{ index: start, 0: this.#text.slice(start, end) }] : this.#matches(patterns.url);
    for (const { index, 0: address } of matches) {
      const trimmed = address.replace(/[.,;:!?)\]}]{1,10}$/, '');
      const place = readPlace(trimmed, this.#options);
      if (!place) continue;
      if (place.text !== undefined) {
        // Whatever stood in the box when the address was copied is found again, in the place of the address.
        for (const one of this.#inner(place.text, this.#options))
          this.#add(one.kind, one.value, index, trimmed.length, one.orElse);
        continue;
      }
      for (const { kind, value } of place.parts) this.#add(kind, value, index, trimmed.length);
    }
  }

  readDigests(): void {
    for (const pattern of [patterns.labelled, patterns.suffixed, patterns.numbered]) {
      for (const match of this.#matches(pattern)) this.#add('digest', match[1] ?? '', match.index, match[0].length);
    }
    const [start, end] = this.#edges();
    const alone = this.#text.slice(start, end);
    if (/^\d{1,10}$/.test(alone)) this.#add('digest', alone, start, alone.length, 'issue');
    else if (/^#\d{1,9}$/.test(alone)) this.#add('issue', alone.slice(1), start, alone.length);
  }

  readIds(): void {
    for (const match of this.#matches(patterns.id)) {
      const id = match[0].replaceAll('-', '').toLowerCase();
      const end = match.index + match[0].length;
      const before = this.#text.slice(Math.max(0, match.index - 24), match.index);
      const isTrace = labelOfTrace.test(before) || spanAfterTrace.test(this.#text.slice(end, end + 18));
      if (/^0{32}$/.test(id)) continue;
      if (isTrace) this.#add('trace', id, match.index, match[0].length);
      else this.#add('event', id, match.index, match[0].length, 'trace');
    }
    for (const match of this.#matches(patterns.span)) {
      this.#add('span', match[0].toLowerCase(), match.index, match[0].length);
    }
  }

  readIssues(): void {
    const prefixes = new Set(this.#options.prefixes.map((prefix) => prefix.toUpperCase()));
    for (const match of this.#matches(patterns.shortId)) {
      if (prefixes.has((match[1] ?? '').toUpperCase())) {
        this.#add('issue', match[0].toUpperCase(), match.index, match[0].length);
      }
    }
    for (const match of this.#matches(patterns.issue)) this.#add('issue', match[1] ?? '', match.index, match[0].length);
  }

  /** Of the text as it was pasted: indentation tells what belongs together. Ids and addresses in it stay what they are. */
  readStack(text: string): void {
    const stack = stackIn(text);
    if (!stack) return;
    const [start, end] = this.#edges();
    this.#add('stack', nameOfStack(stack), start, end - start);
  }

  /** A release or words, where nothing else was understood. */
  readRest(): void {
    if (this.found.length) return;
    const [start, end] = this.#edges();
    const rest = this.#text.slice(start, end);
    if (rest === '') return;
    const labelled = /^release:(\S{1,200})$/i.exec(rest)?.[1];
    const release = labelled ?? (isRelease(rest) ? rest : undefined);
    if (release !== undefined) this.#add('release', release, start, rest.length);
    else this.#add('words', rest.replaceAll(/ +/g, ' ').slice(0, maxWords).trim().toWellFormed(), start, rest.length);
  }

  /** Where the text begins and ends without blanks, quotes and what sentences end with. */
  #edges(): readonly [number, number] {
    const edge = /[\s"'“”‘’`.,;:()[\]]/;
    let start = 0;
    let end = this.#text.length;
    while (start < end && edge.test(this.#text.charAt(start))) start++;
    while (end > start && edge.test(this.#text.charAt(end - 1))) end--;
    return [start, end];
  }

  /** Those that nothing has been read from yet. */
  *#matches(pattern: RegExp): Generator<RegExpExecArray> {
    for (const match of this.#text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (!this.found.some((one) => one.start < end && match.index < one.end)) yield match;
    }
  }

  #add(kind: UnderstoodKind, value: string, start: number, length: number, orElse?: 'trace' | 'issue'): void {
    const same = this.found.filter((one) => one.kind === kind);
    if (same.length >= maxOfKind || same.some((one) => one.value === value)) return;
    this.found.push({ kind, value, start, end: start + length, ...(orElse && { orElse }) });
  }
}

/** `shop@1.4.2`, a commit, or the beginning of one as people copy it. */
function isRelease(text: string): boolean {
  if (/^[\w.+-]{1,100}@\d[\w.+-]{0,100}$/.test(text)) return true;
  return /^[0-9a-f]{7,40}$/.test(text) && /\d/.test(text) && /[a-f]/.test(text);
}
