/** The event as JSON. What is known of it is not written again: a mark stands in its place until the rest is written. */
import type { Event, Stacktrace } from './event.ts';
import { knownPart, partNames } from './known-parts.ts';
import { knownStack } from './known-stacks.ts';

/** How a mark begins; no text of an event has NUL. */
const written = '\\u0000';
const quote = 34;

export interface EventText {
  readonly text: string;
  /** The same one after the other; what is known as the bytes that it is stored as. */
  readonly pieces: readonly (string | Uint8Array)[];
}

interface KnownText {
  readonly text: string;
  readonly bytes: Uint8Array;
}

export function eventText(event: Event): EventText {
  const known: KnownText[] = [];
  const marked = withMarks(event, known);
  const text = JSON.stringify(known.length === 0 ? event : marked);
  if (known.length === 0) return { text, pieces: [text] };
  const pieces: (string | Uint8Array)[] = [];
  let whole = '';
  let done = 0;
  const add = (piece: string): void => {
    pieces.push(piece);
    whole += piece;
  };
  for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + written.length)) {
    // Behind a backslash it is a text that looks like it.
    if (text.charCodeAt(at - 1) !== quote) continue;
    const end = text.indexOf('"', at);
    const found = known[Number(text.slice(at + written.length, end))];
    if (!found) continue;
    add(text.slice(done, at - 1));
    pieces.push(found.bytes);
    whole += found.text;
    done = end + 1;
  }
  add(text.slice(done));
  return { text: whole, pieces };
}

function knownText(value: unknown): KnownText {
  const text = JSON.stringify(value);
  return { text, bytes: Buffer.from(text) };
}

interface Holder {
  readonly stacktrace?: Stacktrace;
}

/** A copy whose known parts are marks, and what these stand for. */
function withMarks(event: Event, known: KnownText[]): unknown {
  const mark = (one: KnownText): string => `\0${known.push(one) - 1}`;
  const marked = <T extends Holder>(holder: T): T | (Omit<T, 'stacktrace'> & { stacktrace: unknown }) => {
    const { stacktrace } = holder;
    const stack = stacktrace && knownStack(stacktrace.frames);
    if (!stack) return holder;
    const frames = mark(stack.derive(knownText, () => knownText(stack.frames)));
    return { ...holder, stacktrace: { ...stacktrace, frames } };
  };
  const { exception, threads } = event;
  const copy: Record<string, unknown> = { ...marked(event) };
  if (exception) copy.exception = { values: exception.values.map(marked) };
  if (threads) copy.threads = { values: threads.values.map(marked) };
  for (const name of partNames) {
    const value = event[name];
    const part = value && knownPart(value);
    if (part) copy[name] = mark(part.derive(knownText, () => knownText(part.value)));
  }
  return copy;
}
