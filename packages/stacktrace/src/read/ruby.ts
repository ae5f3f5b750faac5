/** Ruby's exceptions, newest call first or last, each with its causes. */
import type { StackFrame, StackText } from '../types.ts';
import { shortPath } from './paths.ts';
import { type Draft, draft, finish, linesOf, maxExceptions } from './text.ts';

const call = /^(?:\s{0,8}(?:\d{1,5}: )?from |\s{0,8})([^\s:][^:]{0,1000}):(\d{1,9})(?::in [`'](.{1,400}?)')?$/;
const raised = /^([^\s:][^:]{0,1000}):(\d{1,9})(?::in [`'](.{1,400}?)')?: (.*)$/;
const named = /^(.*) \(([A-Z][\w:]{0,300})\)$/;
const bare = /^([A-Z]\w{0,100}(?:::[A-Z]\w{0,100}){0,10})(?:: (.*))?$/;
const oldestFirst = /^Traceback\b.*\(most recent call last\):$/;

interface Reading {
  /** In the order of the text. */
  readonly drafts: Draft[];
  current: Draft | undefined;
  /** Calls that stand before their exception. */
  calls: StackFrame[];
  isOldestFirst: boolean;
  isInMessage: boolean;
}

export function readRuby(text: string): StackText | undefined {
  const reading: Reading = {
    drafts: [],
    current: undefined,
    calls: [],
    isOldestFirst: false,
    isInMessage: false,
  };
  for (const line of linesOf(text)) {
    if (reading.drafts.length >= maxExceptions) break;
    readLine(reading, line);
  }
  const { drafts, calls } = reading;
  // A list of calls without the exception.
  if (drafts.length === 0 && calls.length > 0) drafts.push({ ...draft('', undefined), frames: calls });
  if (!drafts.some(({ frames }) => frames.length > 0)) return undefined;
  const ordered = reading.isOldestFirst ? drafts.toReversed() : drafts;
  for (const [index, one] of ordered.entries()) {
    if (index > 0) Object.assign(one, { parent: ordered[index - 1], relation: 'cause' });
  }
  return { language: 'ruby', exceptions: finish(ordered, true) };
}

function readLine(reading: Reading, line: string): void {
  if (line.startsWith('Traceback') && oldestFirst.test(line)) {
    reading.isOldestFirst = true;
    reading.isInMessage = false;
    return;
  }
  const at = line.includes(':') ? call.exec(line) : undefined;
  if (at && (at[3] !== undefined || line.includes('from '))) {
    reading.isInMessage = false;
    if (reading.current && !reading.isOldestFirst) reading.current.frames.push(frameOf(at));
    else reading.calls.push(frameOf(at));
    return;
  }
  const [, path, lineno, name, said = ''] = raised.exec(line) ?? [];
  const [, value, type] = named.exec(said) ?? [];
  if (path !== undefined && (type !== undefined || name !== undefined)) {
    begin(reading, type ?? '', type === undefined ? said : value);
    const calls = reading.calls.toReversed();
    reading.current?.frames.push(frameOf(['', path, lineno ?? '', name ?? '']), ...calls);
    reading.calls = [];
    return;
  }
  if (reading.isInMessage) continueMessage(reading, line);
  else if (!reading.current && reading.calls.length === 0) {
    const [, ofBare, message] = bare.exec(line) ?? [];
    if (ofBare !== undefined) begin(reading, ofBare, message);
  }
}

function begin(reading: Reading, type: string, value: string | undefined): void {
  const one = draft(type, value, { module: type.includes('::') ? type.slice(0, type.lastIndexOf('::')) : undefined });
  reading.current = one;
  reading.isInMessage = true;
  // A line of a log can look like an exception; only what calls follow is one.
  if (reading.drafts.at(-1)?.frames.length === 0) reading.drafts.pop();
  reading.drafts.push(one);
}

/** The class stands after the first line of a message, or after its last one. */
function continueMessage({ current }: Reading, line: string): void {
  if (!current) return;
  const [, value, type] = current.type === '' ? (named.exec(line) ?? []) : [];
  if (type !== undefined) current.type = type;
  current.value.push(value ?? line);
}

const library =
  /\/(?:gems|bundler\/gems)\/[^/]{1,200}\/(?:lib\/)?|\/(?:lib|rubies)\/ruby\/(?:site_ruby\/|vendor_ruby\/)?\d[^/]{0,20}\//;

function frameOf([, path = '', lineno, label = '']: readonly string[]): StackFrame {
  // `Shop::Cart#read`, of Ruby 3.4 and later.
  const hash = label.indexOf('#');
  const isQualified = hash > 0 && !label.slice(0, hash).includes(' ');
  const found = library.exec(path);
  const isForeign = found !== null || path.startsWith('<internal:') || path.includes('/gems/');
  return {
    ...(isQualified && { module: label.slice(0, hash) }),
    function: (isQualified ? label.slice(hash + 1) : label) || undefined,
    filename: found ? path.slice(found.index + found[0].length) : shortPath(path),
    absPath: path,
    lineno: Number(lineno),
    inApp: !isForeign,
  };
}
