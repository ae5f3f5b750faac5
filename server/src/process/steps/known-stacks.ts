/**
 * Stacks that came before. Events of one bug bring the same frames, byte for byte, and most of an event is frames: their
 * text is found in the event's JSON, and what the steps made of it the first time stands for it.
 *
 * That holds while nothing but the frames decides what becomes of them: under the same settings, on the same platform,
 * without values of variables, and where no rule looks at what is around the stack.
 */
import type { Event, Frame, Stacktrace } from './event.ts';
import type { ProjectSettings } from '../types.ts';

/** Of the texts of all stacks that are remembered, characters; what is made of them takes about ten times as much. */
const maxRemembered = 2 * 1024 * 1024;
/** Shorter ones are not worth it, longer ones are rare. */
const [shortest, longest] = [64, 64 * 1024];
/** Lists of one event that are looked at; others stay where they are. */
const maxLooked = 8;
/** Of one stack: lines of code may hold what ends a list, too. */
const maxEnds = 32;

/** Without its first quote: what is looked for by a character that is rare is found ten times as fast. */
const opening = 'frames":[';
const ending = '}]';
const [quote, backslash, openList, closeList, openObject, closeObject] = [34, 92, 91, 93, 123, 125];

export class KnownStack {
  /** As stored. All events of the stack share them, so nobody changes them. */
  readonly frames: Frame[];
  /** As sent, JSON. */
  readonly text: string;
  readonly settings: ProjectSettings;
  /** Of its events. */
  readonly platform: string;
  readonly #derived = new Map<object, unknown>();

  constructor(stack: Pick<KnownStack, 'frames' | 'text' | 'settings' | 'platform'>) {
    this.frames = stack.frames;
    this.text = stack.text;
    this.settings = stack.settings;
    this.platform = stack.platform;
  }

  /** What follows from the frames, made once for each `kind`. */
  derive<T>(kind: object, make: () => T): T {
    let made = this.#derived.get(kind) as T | undefined;
    if (made === undefined) this.#derived.set(kind, (made = make()));
    return made;
  }
}

/** The one that was asked for longest ago is first. */
const remembered = new Map<number, KnownStack>();
let rememberedLength = 0;
const byFrames = new WeakMap<readonly Frame[], KnownStack>();

/** Undefined for frames that came for the first time, and for those that are read from the store. */
export const knownStack = (frames: readonly Frame[]): KnownStack | undefined => byFrames.get(frames);

/** What follows from frames, and from the platform of their event: remembered where they are known. */
export function derived<T>(
  frames: readonly Frame[],
  make: (frames: readonly Frame[], platform: string) => T,
  platform = '',
): T {
  const known = byFrames.get(frames);
  return known ? known.derive(make, () => make(frames, platform)) : make(frames, platform);
}

/** Some of its characters: only which texts displace each other depends on it. */
function keyOf(text: string, start: number, end: number): number {
  const step = (end - start) / 32;
  let key = end - start;
  for (let at = end - 3; at > start; at -= step) key = (Math.imul(key, 31) + text.charCodeAt(at)) | 0;
  return key;
}

function find(text: string, start: number, end: number, settings: ProjectSettings): KnownStack | undefined {
  const key = keyOf(text, start, end);
  const known = remembered.get(key);
  // Thirty times as fast as `startsWith`.
  if (known?.settings !== settings || known.text.length !== end - start || text.slice(start, end) !== known.text)
    return undefined;
  remembered.delete(key);
  remembered.set(key, known);
  return known;
}

/** Keys of stacks that came once: what does not come again is not worth the memory. */
const once = new Int32Array(4_096);

function cameBefore(text: string): boolean {
  const key = keyOf(text, 0, text.length);
  const place = (key ^ (key >>> 12)) & (once.length - 1);
  if (once[place] === key) return true;
  once[place] = key;
  return false;
}

function remember(known: KnownStack): void {
  const { text } = known;
  const key = keyOf(text, 0, text.length);
  forget(key);
  while (rememberedLength + text.length > maxRemembered) {
    const oldest = remembered.keys().next();
    if (oldest.done) break;
    forget(oldest.value);
  }
  remembered.set(key, known);
  rememberedLength += text.length;
  byFrames.set(known.frames, known);
}

function forget(key: number): void {
  rememberedLength -= remembered.get(key)?.text.length ?? 0;
  remembered.delete(key);
}

interface Taken {
  readonly known: KnownStack | undefined;
  readonly text: string;
  /** Of one that is not known. */
  readonly list?: readonly unknown[];
  /** Once they are normalised, of one that may be remembered. */
  frames?: Frame[];
}

/** What stands for frames: either those of a stack that is known, or a list as it was sent. */
export type TakenFrames =
  | { readonly known: Frame[] }
  | { readonly list: readonly unknown[]; readonly keep: (frames: Frame[]) => void };

/**
 * The stacks of one event. `parse` takes them out of its JSON and leaves a mark for each, `take` gives them back where
 * they belong. A mark begins with NUL, which no text of an event has.
 */
export class StackTaking {
  readonly #settings: ProjectSettings;
  readonly #taken: Taken[] = [];
  #platform = '';
  #placed = 0;

  constructor(settings: ProjectSettings) {
    this.#settings = settings;
  }

  /** As `JSON.parse`. */
  parse(text: string): unknown {
    const rest = this.#takeFrom(text);
    return JSON.parse(rest ?? text) as unknown;
  }

  /** Of the event; before the first is taken. */
  set platform(platform: string) {
    this.#platform = platform;
  }

  take(mark: string): TakenFrames | undefined {
    const taken = mark.startsWith('\0') ? this.#taken[Number(mark.slice(1))] : undefined;
    if (!taken) return undefined;
    this.#placed += 1;
    if (taken.known?.platform === this.#platform) return { known: taken.known.frames };
    const list = taken.list ?? (JSON.parse(taken.text) as unknown[]);
    return { list, keep: (frames) => void (taken.frames = frames) };
  }

  /** Frames may stand where no stack is: then the event is to be read without taking any. */
  get allPlaced(): boolean {
    return this.#placed === this.#taken.length;
  }

  get hasKnown(): boolean {
    return this.#taken.some(({ known }) => known !== undefined);
  }

  /** Of an event that is finished: those of its stacks that came before will be known from now on. */
  remember(): void {
    for (const { text, frames } of this.#taken) {
      if (!frames || !cameBefore(text) || frames.some((frame) => frame.vars !== undefined)) continue;
      // A copy: a piece of the event's text would keep the whole of it in memory.
      const own = Buffer.from(text).toString();
      remember(new KnownStack({ frames, text: own, settings: this.#settings, platform: this.#platform }));
    }
  }

  /** The text with marks; undefined where nothing was taken. */
  #takeFrom(text: string): string | undefined {
    let rest = '';
    let done = 0;
    let at = text.indexOf(opening);
    for (let looked = 0; at >= 0 && looked < maxLooked;) {
      const start = at + opening.length - 1;
      // A quote behind a backslash is within a text.
      const isName = text.charCodeAt(at - 1) === quote && text.charCodeAt(at - 2) !== backslash;
      if (isName) looked++;
      const found = isName ? this.#stackAt(text, start) : undefined;
      if (found) {
        rest += `${text.slice(done, start)}"\\u0000${this.#taken.length}"`;
        this.#taken.push(found);
        done = start + found.text.length;
      }
      at = text.indexOf(opening, found ? done : start);
    }
    return done === 0 ? undefined : rest + text.slice(done);
  }

  #stackAt(text: string, start: number): Taken | undefined {
    let end = start;
    for (let tries = 0; tries < maxEnds; tries++) {
      end = text.indexOf(ending, end) + ending.length;
      if (end < ending.length || end - start > longest) break;
      const known = find(text, start, end, this.#settings);
      if (known) return { known, text: known.text };
    }
    const taken = text.slice(start, endOfList(text, start));
    // Variables differ from event to event.
    if (taken.length < shortest || taken.includes('"vars":')) return undefined;
    return { known: undefined, text: taken, list: JSON.parse(taken) as unknown[] };
  }
}

/** `start` where it is not closed, or beyond what is remembered. */
function endOfList(text: string, start: number): number {
  const most = Math.min(text.length, start + longest);
  let depth = 0;
  for (let at = start; at < most; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      for (at++; at < most; at++) {
        const inside = text.charCodeAt(at);
        if (inside === quote) break;
        if (inside === backslash) at++;
      }
    } else if (code === openList || code === openObject) depth++;
    else if ((code === closeList || code === closeObject) && --depth === 0) return at + 1;
  }
  return start;
}

const written = '"frames":"\\u0000';

/** The event as JSON; what is known of it is not written again. */
export function eventText(event: Event): string {
  const texts: string[] = [];
  const marked = withMarks(event, texts);
  if (texts.length === 0) return JSON.stringify(event);
  const text = JSON.stringify(marked);
  let whole = '';
  let done = 0;
  for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, done)) {
    const end = text.indexOf('"', at + written.length);
    whole += text.slice(done, at + '"frames":'.length) + (texts[Number(text.slice(at + written.length, end))] ?? '');
    done = end + 1;
  }
  return whole + text.slice(done);
}

interface Holder {
  readonly stacktrace?: Stacktrace;
}

/** A copy whose known frames are marks, and the texts that these stand for. */
function withMarks(event: Event, texts: string[]): unknown {
  const marked = <T extends Holder>(holder: T): unknown => {
    const { stacktrace } = holder;
    const known = stacktrace && knownStack(stacktrace.frames);
    if (!known) return holder;
    const number = texts.push(known.derive(JSON, () => JSON.stringify(known.frames))) - 1;
    return { ...holder, stacktrace: { ...stacktrace, frames: `\0${number}` } };
  };
  const { exception, threads } = event;
  const copy: object = {
    ...event,
    ...(exception && { exception: { values: exception.values.map(marked) } }),
    ...(threads && { threads: { values: threads.values.map(marked) } }),
  };
  return marked(copy as Holder);
}
