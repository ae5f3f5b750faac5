/** PHP's exceptions: what led to another one stands before it. */
import type { StackException, StackFrame, StackText } from '../types.ts';
import { readJava } from './java.ts';
import { shortPath } from './paths.ts';
import { type Draft, draft, finish, linesOf, maxExceptions } from './text.ts';

const call = /^#(\d{1,5}) (.*)$/;
const placed = /^(.{1,1000}?)\((\d{1,9})\): (.{1,1000})$/;
const raisedIn = / in (\S[^\n]{0,1000}):(\d{1,9})$/;
const raisedOnLine = / in (\S[^\n]{0,1000}) on line (\d{1,9})$/;
const named = /^([A-Za-z_\\\u{80}-\u{10ffff}][\w\\@\u{80}-\u{10ffff}]{0,300})(?:: ?(.*))?$/u;
/** As Laravel logs them. */
const logged = /\[object\] \(([\w\\]{1,300})\(code: -?\w{1,20}\): (.*) at (.{1,1000}):(\d{1,9})\)?$/;
const uncaught = 'Uncaught ';

/** Where a call was made. */
type Place = Pick<StackFrame, 'absPath' | 'filename' | 'lineno' | 'inApp'>;

interface Reading {
  readonly drafts: Draft[];
  /** Lines before a stack: its exception. */
  before: string[];
  current: Draft | undefined;
  /** Of the call whose line was read last. */
  place: Place | undefined;
}

export function readPhp(text: string): StackText | undefined {
  if (text.includes('\n\tat ') || text.includes('\n at ')) {
    const read = readJava(text);
    if (read) return { ...read, language: 'php', exceptions: read.exceptions.map(withPhpNames) };
  }
  const reading: Reading = { drafts: [], before: [], current: undefined, place: undefined };
  for (const line of linesOf(text)) {
    if (reading.drafts.length > maxExceptions) break;
    readLine(reading, line);
  }
  end(reading);
  const { drafts } = reading;
  if (!drafts.some(({ frames }) => frames.length > 0)) return undefined;
  const ordered = drafts.toReversed();
  for (const [index, one] of ordered.entries()) {
    if (index > 0) Object.assign(one, { parent: ordered[index - 1], relation: 'cause' });
  }
  return { language: 'php', exceptions: finish(ordered, true) };
}

function readLine(reading: Reading, line: string): void {
  const said = line.trimStart();
  const at = said.startsWith('#') ? call.exec(said) : undefined;
  if (at) {
    if (at[1] === '0' || !reading.current) begin(reading);
    readCall(reading, at[2] ?? '');
  } else if (said === 'Stack trace:' || said === '[stacktrace]' || said === 'PHP Stack trace:') {
    end(reading);
    begin(reading);
  } else if (line.startsWith('Next ')) {
    end(reading);
    reading.before = [line.slice('Next '.length)];
  } else if (!reading.current) reading.before.push(line);
}

function begin(reading: Reading): void {
  if (reading.current && reading.current.frames.length === 0) return;
  end(reading);
  const lines = reading.before;
  reading.before = [];
  const first = lines.findLastIndex((line) => line.includes(uncaught) || line.includes('[object] ('));
  const [head = '', ...rest] = lines.slice(Math.max(0, first));
  const start = head.indexOf(uncaught);
  const [, loggedType, loggedValue, loggedPath, loggedLine] = logged.exec(head) ?? [];
  if (loggedType !== undefined) {
    open(reading, loggedType, loggedValue, loggedPath, loggedLine);
    return;
  }
  const message = [start >= 0 ? head.slice(start + uncaught.length) : head, ...rest];
  while (message.length > 1 && message.at(-1)?.trim() === '') message.pop();
  const last = message.pop() ?? '';
  const found = raisedIn.exec(last) ?? raisedOnLine.exec(last);
  message.push(found ? last.slice(0, found.index) : last);
  const [, type, value] = named.exec(message[0] ?? '') ?? [];
  open(reading, type ?? '', type === undefined ? message[0] : value, found?.[1], found?.[2]);
  reading.current?.value.push(...message.slice(1));
}

function open(reading: Reading, type: string, value?: string, path?: string, lineno?: string): void {
  const module = type.includes('\\') ? type.slice(0, type.lastIndexOf('\\')) : undefined;
  reading.current = draft(type, value || undefined, { module });
  reading.drafts.push(reading.current);
  reading.place = path === undefined ? undefined : placeOf(path, lineno);
}

/** A line says what was called, and where from: its place belongs to the next function. */
function readCall(reading: Reading, said: string): void {
  const { current } = reading;
  if (!current) return;
  if (said === '{main}') {
    end(reading);
    return;
  }
  const [, path, lineno, ofPlace] = placed.exec(said) ?? [];
  const isInternal = said.startsWith('[internal function]: ');
  const name = ofPlace ?? (isInternal ? said.slice('[internal function]: '.length) : said);
  if (!name.includes('(')) return;
  current.frames.push({ ...reading.place, ...nameOf(name) });
  reading.place = path === undefined ? undefined : placeOf(path, lineno);
}

/** The oldest place has no function. */
function end(reading: Reading): void {
  if (reading.current && reading.place) reading.current.frames.push(reading.place);
  reading.place = undefined;
  if (reading.current && reading.current.frames.length > 0) reading.current = undefined;
}

function placeOf(path: string, lineno: string | undefined): Place {
  const at = path.lastIndexOf('/vendor/');
  const filename = at >= 0 ? path.slice(at + '/vendor/'.length) : shortPath(path);
  return { absPath: path, filename, lineno: Number(lineno), inApp: at < 0 };
}

/** `App\Cart->read('two')` → class and method, without arguments. */
function nameOf(call: string): Pick<StackFrame, 'function' | 'module'> {
  const open = call.indexOf('(');
  const name = open > 0 ? call.slice(0, open) : call;
  const arrow = Math.max(name.lastIndexOf('->'), name.lastIndexOf('::'));
  return arrow <= 0 ? { function: name } : { module: name.slice(0, arrow), function: name.slice(arrow + 2) };
}

/** Whole names, with the separators of PHP. */
function withPhpNames({ type, module, frames, ...rest }: StackException): StackException {
  const named = module === undefined ? { type } : { type: slashed(`${module}.${type}`), module: slashed(module) };
  const called = frames.map((frame) =>
    frame.module === undefined ? frame : { ...frame, module: slashed(frame.module) },
  );
  return { ...rest, ...named, frames: called };
}

const slashed = (name: string): string => name.replaceAll('.', '\\');
