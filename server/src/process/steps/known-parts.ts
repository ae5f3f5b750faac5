/**
 * What describes the program that sent an event: the same in all events of a release, byte for byte. So its text is found
 * in the event's JSON before it is parsed, and what the steps made of it the first time stands for it. Nothing but the
 * project's settings decides what that is.
 */
import type { ProjectSettings } from '../types.ts';
import type { Event } from './event.ts';
import { CameOnce, type Cut, endOfValue, keyOf, ownText } from './known-texts.ts';

export const partNames = ['modules', 'sdk', 'debug_meta'] as const;

export type PartName = (typeof partNames)[number];
type Part = NonNullable<Event[PartName]>;

/** Of the texts of all that are remembered, characters; beyond it the memory starts over. */
const maxRemembered = 1024 * 1024;
/** Shorter ones are not worth it, longer ones differ from process to process. */
const [shortest, longest] = [256, 16 * 1024];
/** Of texts that begin in the same way. */
const maxAlike = 64;

export class KnownPart {
  readonly name: PartName;
  /** As sent, JSON. */
  readonly text: string;
  /** As stored. All events share it, so nobody changes it. */
  readonly value: Part;
  readonly settings: ProjectSettings;
  readonly #derived = new Map<object, unknown>();

  constructor(part: Pick<KnownPart, 'name' | 'text' | 'value' | 'settings'>) {
    this.name = part.name;
    this.text = part.text;
    this.value = part.value;
    this.settings = part.settings;
  }

  /** What follows from the value, made once for each `kind`. */
  derive<T>(kind: object, make: () => T): T {
    let made = this.#derived.get(kind) as T | undefined;
    if (made === undefined) this.#derived.set(kind, (made = make()));
    return made;
  }
}

/** By how they begin; what comes often moves to the front. */
const remembered = new Map<number, KnownPart[]>();
let rememberedLength = 0;
const byValue = new WeakMap<object, KnownPart>();
const begun = new CameOnce();
const whole = new CameOnce();

/** Undefined for what came for the first time, and for what is read from the store. */
export const knownPart = (value: object): KnownPart | undefined => byValue.get(value);

type Wanted = Pick<KnownPart, 'name' | 'settings'>;

function find(text: string, start: number, key: number, { name, settings }: Wanted): KnownPart | undefined {
  const alike = remembered.get(key) ?? [];
  for (const [place, one] of alike.entries()) {
    if (one.settings !== settings || one.name !== name) continue;
    if (text.slice(start, start + one.text.length) !== one.text) continue;
    const before = alike[place - 1];
    if (before) [alike[place - 1], alike[place]] = [one, before];
    return one;
  }
  return undefined;
}

function remember(known: KnownPart): void {
  if (rememberedLength + known.text.length > maxRemembered) {
    remembered.clear();
    rememberedLength = 0;
  }
  const key = keyOf(known.text, 0, shortest);
  const alike = remembered.get(key);
  if (!alike) remembered.set(key, [known]);
  else if (alike.length < maxAlike) alike.push(known);
  else alike[maxAlike - 1] = known;
  rememberedLength += known.text.length;
  byValue.set(known.value, known);
}

interface Taken {
  readonly name: PartName;
  readonly known: KnownPart | undefined;
  readonly text: string;
  isPlaced: boolean;
  /** Once it is normalised, of one that is not known. */
  value?: Part | undefined;
}

const markOf = (name: PartName): string => `\0${name}`;

/** The parts of one event: taken out of its JSON, and given back where they belong. */
export class PartTaking {
  readonly #settings: ProjectSettings;
  readonly #taken: Taken[] = [];

  constructor(settings: ProjectSettings) {
    this.#settings = settings;
  }

  /** Takes the part that begins at `start`, where it is known or worth knowing. */
  takeAt(name: PartName, text: string, start: number): Cut | undefined {
    if (text.length - start < shortest || this.#taken.some((one) => one.name === name)) return undefined;
    const key = keyOf(text, start, start + shortest);
    const known = find(text, start, key, { name, settings: this.#settings });
    const taken = known?.text ?? textThatCameBefore(text, start, key);
    if (taken === undefined) return undefined;
    this.#taken.push({ name, known, text: taken, isPlaced: false });
    return { mark: markOf(name), end: start + taken.length };
  }

  /** What `parse` makes of the part, or made of it before. */
  take<Value extends Part>(
    name: PartName,
    value: unknown,
    parse: (value: unknown) => Value | undefined,
  ): Value | undefined {
    const taken = value === markOf(name) ? this.#taken.find((one) => one.name === name) : undefined;
    if (!taken) return parse(value);
    taken.isPlaced = true;
    if (taken.known) return taken.known.value as Value;
    const parsed = parse(JSON.parse(taken.text));
    taken.value = parsed;
    return parsed;
  }

  get allPlaced(): boolean {
    return this.#taken.every(({ isPlaced }) => isPlaced);
  }

  /** Of an event that is finished: what of it came before will be known from now on. */
  remember(): void {
    for (const { name, text, value } of this.#taken) {
      if (value) remember(new KnownPart({ name, text: ownText(text), value, settings: this.#settings }));
    }
  }
}

function textThatCameBefore(text: string, start: number, key: number): string | undefined {
  if (!begun.again(key)) return undefined;
  const end = endOfValue(text, start, longest);
  if (end - start < shortest || !whole.again(keyOf(text, start, end))) return undefined;
  return text.slice(start, end);
}
