/** What all readers share: bounds, lines, numbers. Each takes time linear in its text, whatever stands in it. */
import type { StackException, StackFrame, StackRelation } from '../types.ts';

const maxText = 256 * 1024;
const maxLines = 4000;
const maxLine = 2000;
/** Of one exception's message. */
const maxValue = 8 * 1024;
export const maxFrames = 250;
export const maxExceptions = 50;
/** Of a whole text: frames that a text leaves out are repeated from those it has, and must not multiply. */
const maxAllFrames = 1500;

export function linesOf(text: string): string[] {
  const lines = text.slice(0, maxText).split('\n', maxLines);
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line).slice(0, maxLine));
}

/** Blanks before the first other character. */
export function indentOf(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9) at++;
  return at;
}

export function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined || digits === '' ? undefined : Number(digits);
}

/** An exception while its text is read; frames as the text has them. */
export interface Draft {
  type: string;
  module?: string;
  readonly value: string[];
  readonly frames: StackFrame[];
  relation?: StackRelation;
  parent?: Draft;
}

export function draft(type: string, value: string | undefined, parts: Partial<Draft> = {}): Draft {
  return { type, value: value === undefined ? [] : [value], frames: [], ...parts };
}

/**
 * The exceptions of a text, the reported one first, each after the one it belongs to. `isReversed`: the drafts have the
 * newest call first.
 */
export function finish(drafts: readonly Draft[], isReversed: boolean): StackException[] {
  const places = new Map<Draft, number>();
  let left = maxAllFrames;
  return drafts.slice(0, maxExceptions).map((one, place) => {
    places.set(one, place);
    const frames = isReversed ? one.frames.slice(0, maxFrames).toReversed() : one.frames.slice(-maxFrames);
    const kept = frames.slice(Math.max(0, frames.length - left));
    left -= kept.length;
    const parent = one.parent && places.get(one.parent);
    return {
      type: one.type,
      ...(one.module && { module: one.module }),
      value: valueOf(one.value),
      frames: kept,
      ...(parent !== undefined && { relation: one.relation ?? 'cause', parent }),
    };
  });
}

function valueOf(lines: readonly string[]): string {
  let end = lines.length;
  while (end > 0 && lines[end - 1]?.trim() === '') end--;
  return lines.slice(0, end).join('\n').slice(0, maxValue);
}

/** `com.example.Cart$Empty` → `com.example` and `Cart$Empty`. */
export function splitName(name: string): { type: string; module?: string } {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? { type: name } : { type: name.slice(dot + 1), module: name.slice(0, dot) };
}

/** A text with a placed end: `rest:12`, `rest:12:5`. */
export function splitPlace(place: string): { path: string; lineno?: number; colno?: number } {
  const match = /:(\d{1,9})(?::(\d{1,9}))?$/.exec(place);
  if (!match) return { path: place };
  return { path: place.slice(0, match.index), lineno: Number(match[1]), colno: numberOf(match[2]) };
}
