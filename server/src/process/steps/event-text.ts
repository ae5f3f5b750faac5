/** The event as JSON. What is known of it is not written again: a mark stands in its place until the rest is written. */
import type { Event, Stacktrace } from './event.ts';
import { knownPart, partNames } from './known-parts.ts';
import { knownStack } from './known-stacks.ts';

/** How a mark begins; no text of an event has NUL. */
const written = '\\u0000';
const quote = 34;

export function eventText(event: Event): string {
  const texts: string[] = [];
  const marked = withMarks(event, texts);
  if (texts.length === 0) return JSON.stringify(event);
  const text = JSON.stringify(marked);
  let whole = '';
  let done = 0;
  for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + written.length)) {
    // Behind a backslash it is a text that looks like it.
    if (text.charCodeAt(at - 1) !== quote) continue;
    const end = text.indexOf('"', at);
    whole += text.slice(done, at - 1) + (texts[Number(text.slice(at + written.length, end))] ?? '');
    done = end + 1;
  }
  return whole + text.slice(done);
}

interface Holder {
  readonly stacktrace?: Stacktrace;
}

/** A copy whose known parts are marks, and the texts that these stand for. */
function withMarks(event: Event, texts: string[]): unknown {
  const mark = (text: string): string => `\0${texts.push(text) - 1}`;
  const marked = <T extends Holder>(holder: T): T | (Omit<T, 'stacktrace'> & { stacktrace: unknown }) => {
    const { stacktrace } = holder;
    const known = stacktrace && knownStack(stacktrace.frames);
    if (!known) return holder;
    const frames = mark(known.derive(JSON, () => JSON.stringify(known.frames)));
    return { ...holder, stacktrace: { ...stacktrace, frames } };
  };
  const { exception, threads } = event;
  const copy: Record<string, unknown> = { ...marked(event) };
  if (exception) copy.exception = { values: exception.values.map(marked) };
  if (threads) copy.threads = { values: threads.values.map(marked) };
  for (const name of partNames) {
    const part = event[name];
    const known = part && knownPart(part);
    if (known) copy[name] = mark(known.derive(JSON, () => JSON.stringify(known.value)));
  }
  return copy;
}
