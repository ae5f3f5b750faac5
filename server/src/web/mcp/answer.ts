/**
 * How an answer to an agent reads. What comes from the API stands between two markers with a random number that is
 * nowhere in it, as a block of code or a document whose texts are in code: nothing that an event says looks like a word of
 * the server, and no client draws its links. What is not seen is written as its code point.
 */
import { randomBytes } from 'node:crypto';
import { mcp as texts } from '../../base/texts/mcp.ts';
import { cutText, visible } from '../../base/visible.ts';
import { fence } from '../../domains/brief/index.ts';

export type Answer =
  /** Of texts, numbers and lists from anywhere. */
  | { readonly data: unknown; readonly next?: string | undefined; readonly said?: string }
  /** Made by `writeBrief`. */
  | { readonly document: string };

/** Characters of an answer's data. */
export const longest = 40_000;

const bounds = { text: 4_000, items: 100, keys: 100, depth: 14, name: 200 };
type Bounds = typeof bounds;

/** A cursor goes back as it came; nothing else is one. */
const cursor = /^[0-9a-f:.-]{1,120}$/;

export function present(answer: Answer): string {
  if ('document' in answer) {
    return between(visible(answer.document).trimEnd(), false);
  }
  const { data, next, said } = answer;
  const { json, isCut } = toJson(data);
  const more = next !== undefined && cursor.test(next) ? texts.next(next) : undefined;
  return [said, between(fence(json, 'json', longest), isCut), more].filter((part) => part !== undefined).join('\n\n');
}

/** What the API said against it, which may repeat what it was asked. */
export const presentRefusal = (status: number, detail: unknown): string =>
  [texts.refused(status), between(fence(toJson(detail).json, 'json', longest), false)].join('\n\n');

function between(body: string, isCut: boolean): string {
  const [begin, end] = markersFor(body);
  return [texts.data(begin, end), ...(isCut ? [texts.cut] : []), begin, body, end].join('\n');
}

/** Their number is new with each answer, and not in it. */
export function markersFor(
  body: string,
  random: () => string = () => randomBytes(12).toString('hex'),
): [string, string] {
  for (;;) {
    const number = random();
    if (!body.includes(number)) return [`<<data-${number}>>`, `<<end-${number}>>`];
  }
}

/** As much of it as an answer may have: first texts are cut, then lists. */
export function toJson(data: unknown): { readonly json: string; readonly isCut: boolean } {
  let isCut = false;
  const note = (): void => void (isCut = true);
  for (
    let own = bounds;
    ;
    own = { ...own, text: Math.ceil(own.text / 2), items: Math.max(1, Math.floor(own.items * 0.7)) }
  ) {
    const json = JSON.stringify(bounded(data, own, 0, note)) ?? 'null';
    if (json.length <= longest) return { json, isCut };
    note();
    if (own.text === 1 && own.items === 1) return { json: '"…"', isCut };
  }
}

/** Without what is empty, which says nothing. */
function bounded(value: unknown, own: Bounds, depth: number, note: () => void): unknown {
  if (typeof value === 'string') return shortened(value, own.text, note);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  if (depth >= own.depth) {
    note();
    return '…';
  }
  if (Array.isArray(value)) {
    if (value.length > own.items) note();
    return value.slice(0, own.items).map((one) => bounded(one, own, depth + 1, note) ?? null);
  }
  const all = Object.entries(value);
  if (all.length > own.keys) note();
  const kept: [string, unknown][] = [];
  for (const [name, one] of all.slice(0, own.keys)) {
    const shown = bounded(one, own, depth + 1, note);
    const isEmpty = shown === undefined || (Array.isArray(shown) && shown.length === 0);
    if (!isEmpty) kept.push([shortened(name, Math.min(bounds.name, own.text), note), shown]);
  }
  return Object.fromEntries(kept);
}

function shortened(text: string, most: number, note: () => void): string {
  if (text.length > most) note();
  return cutText(visible(cutText(text, most)), most * 2);
}
