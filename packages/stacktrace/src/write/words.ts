/** Texts of events in the lines of a report: they come from anywhere. */
import type { StackException, StackFrame } from '../types.ts';

/** Characters of a name or path. */
const maxName = 2000;
/** Characters of a message. */
const maxMessage = 32_000;

/** A name or path, which ends no line. */
export function name(text: string): string {
  return cut(text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' '), maxName);
}

/** A message with its lines and tabs, without other control characters. */
export function message(text: string): string {
  return cut(text.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd'), maxMessage);
}

export const linesOf = (exception: StackException): readonly string[] => message(exception.value).split('\n');

/** `type: message`, either alone where there is no other. */
export function headline(type: string, exception: StackException): string {
  const value = message(exception.value);
  if (!type) return value;
  return value ? `${type}: ${value}` : type;
}

/** Type and what it lies in, as most languages print them. */
export function qualified({ type, module }: StackException, separator = '.'): string {
  return name(module && !type.startsWith(`${module}${separator}`) ? `${module}${separator}${type}` : type);
}

/** The file as it was built or run, else as short as it came. */
export const pathOf = (frame: StackFrame): string => name(frame.absPath ?? frame.filename ?? '');

/** `path:12:3`, as much as is known. */
export function placeOf(frame: StackFrame): string {
  const path = pathOf(frame);
  return [path || '<unknown>', ...positionOf(frame)].join(':');
}

export function positionOf({ lineno, colno }: StackFrame): readonly number[] {
  if (lineno === undefined) return [];
  return colno === undefined ? [lineno] : [lineno, colno];
}

/** Major and minor of a version. */
export function versionOf(text: string | undefined): readonly [number, number] {
  const [, major, minor] = /(\d{1,4})(?:\.(\d{1,4}))?/.exec(text?.slice(0, 100) ?? '') ?? [];
  return [Number(major ?? 0), Number(minor ?? 0)];
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
