/**
 * Stacks that came before. Events of one bug bring the same frames, byte for byte, and most of an event is frames: their
 * text is found in the event's JSON, and what the steps made of it the first time stands for it.
 *
 * That holds while nothing but the frames decides what becomes of them: under the same settings, on the same platform,
 * without values of variables, and where no rule looks at what is around the stack.
 */
import type { Frame } from './event.ts';
import type { ProjectSettings } from '../types.ts';
import { CameOnce, type Cut, endOfValue, keyOf, ownText } from './known-texts.ts';

/** Of the texts of all stacks that are remembered, characters; what is made of them takes about ten times as much. */
const maxRemembered = 2 * 1024 * 1024;
/** Shorter ones are not worth it, longer ones are rare. */
const [shortest, longest] = [64, 64 * 1024];
/** Lists of one event that are looked at; others stay where they are. */
const maxLooked = 8;
/** Of one stack: lines of code may hold what ends a list, too. */
const maxEnds = 32;

const ending = '}]';

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

const once = new CameOnce();

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

/** The stacks of one event: `takeAt` takes them out of its JSON, `take` gives them back where they belong. */
export class StackTaking {
  readonly #settings: ProjectSettings;
  readonly #taken: Taken[] = [];
  #platform = '';
  #placed = 0;
  #looked = 0;

  constructor(settings: ProjectSettings) {
    this.#settings = settings;
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

  get allPlaced(): boolean {
    return this.#placed === this.#taken.length;
  }

  get hasKnown(): boolean {
    return this.#taken.some(({ known }) => known !== undefined);
  }

  /** Of an event that is finished: those of its stacks that came before will be known from now on. */
  remember(): void {
    for (const { text, frames } of this.#taken) {
      if (!frames || !once.again(keyOf(text, 0, text.length))) continue;
      if (frames.some((frame) => frame.vars !== undefined)) continue;
      remember(new KnownStack({ frames, text: ownText(text), settings: this.#settings, platform: this.#platform }));
    }
  }

  /** Takes the list that begins at `start`, where it is worth it. */
  takeAt(text: string, start: number): Cut | undefined {
    const taken = this.#looked++ < maxLooked ? this.#stackAt(text, start) : undefined;
    return taken && { mark: `\0${this.#taken.push(taken) - 1}`, end: start + taken.text.length };
  }

  #stackAt(text: string, start: number): Taken | undefined {
    let end = start;
    for (let tries = 0; tries < maxEnds; tries++) {
      end = text.indexOf(ending, end) + ending.length;
      if (end < ending.length || end - start > longest) break;
      const known = find(text, start, end, this.#settings);
      if (known) return { known, text: known.text };
    }
    const taken = text.slice(start, endOfValue(text, start, longest));
    // Variables differ from event to event.
    if (taken.length < shortest || taken.includes('"vars":')) return undefined;
    return { known: undefined, text: taken, list: JSON.parse(taken) as unknown[] };
  }
}
