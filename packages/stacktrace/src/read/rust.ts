/** Panics of Rust in both of their forms, and errors as `anyhow` and `eyre` print them. */
import type { StackFrame, StackText } from '../types.ts';
import { type Draft, draft, finish, linesOf, splitPlace } from './text.ts';

const placed = /^thread '([^']{0,200})'(?: \(\d{1,19}\))? panicked at (.{1,1000}):(\d{1,9}):(\d{1,9}):$/;
const quoted = /^thread '([^']{0,200})'(?: \(\d{1,19}\))? panicked at '(.*)$/;
const quotedEnd = /^(.*)', (.{1,1000}):(\d{1,9}):(\d{1,9})$/;
const call = /^ *\d{1,5}: (?: *0x[\da-f]{1,16} - )?(.{1,1000})$/;
const place = /^ +at (.{1,1000})$/;
/** Of a symbol, and of the crates in its name. */
const hashes = /::h[\da-f]{16}$|\[[\da-f]{16}\]/g;
const numbered = /^ +\d{1,4}: (.*)$/;

interface Reading {
  at: 'start' | 'quoted' | 'message' | 'causes' | 'frames';
  thread?: string;
  place?: StackFrame;
  main?: Draft;
  last?: Draft;
  readonly drafts: Draft[];
}

export function readRust(text: string): StackText | undefined {
  const reading: Reading = { at: 'start', drafts: [] };
  for (const line of linesOf(text)) {
    if (reading.at === 'frames' && reading.main) {
      if (!readFrame(reading.main, line)) break;
    } else if (readLine(reading, line)) break;
  }
  const { main, drafts, thread } = reading;
  if (!main) return undefined;
  if (main.frames.length === 0 && reading.place) main.frames.push(reading.place);
  if (main.frames.length === 0) return undefined;
  return { language: 'rust', exceptions: finish(drafts, true), ...(thread !== undefined && { thread }) };
}

/** Whether the text ends here. */
function readLine(reading: Reading, line: string): boolean {
  if (/^\s{0,4}stack backtrace:$/i.test(line)) {
    if (!reading.main) begin(reading, 'Error', undefined);
    reading.at = 'frames';
    return false;
  }
  if (reading.at === 'start') {
    readStart(reading, line);
    return false;
  }
  if (line.startsWith('note: ')) return true;
  if (reading.at === 'quoted') readQuoted(reading, line);
  else if (line === 'Caused by:') reading.at = 'causes';
  else if (reading.at === 'message') reading.main?.value.push(line);
  else readCause(reading, line);
  return false;
}

function readStart(reading: Reading, line: string): void {
  const at = line.indexOf("thread '");
  const said = at >= 0 ? line.slice(at) : line;
  const match = at >= 0 ? placed.exec(said) : undefined;
  if (match) {
    reading.thread = match[1];
    reading.place = placeOf(`${match[2]}:${match[3]}:${match[4]}`);
    begin(reading, 'panic', undefined);
    reading.at = 'message';
    return;
  }
  const old = at >= 0 ? quoted.exec(said) : undefined;
  if (old) {
    reading.thread = old[1];
    begin(reading, 'panic', undefined);
    reading.at = 'quoted';
    readQuoted(reading, old[2] ?? '');
  } else if (line.startsWith('Error: ')) {
    begin(reading, 'Error', line.slice('Error: '.length));
    reading.at = 'message';
  }
}

function begin(reading: Reading, type: string, value: string | undefined): void {
  reading.main = draft(type, value);
  reading.last = reading.main;
  reading.drafts.push(reading.main);
}

/** The message until the quote that a place follows. */
function readQuoted(reading: Reading, line: string): void {
  const [, value, path, lineno, colno] = quotedEnd.exec(line) ?? [];
  reading.main?.value.push(value ?? line);
  if (value === undefined) return;
  reading.place = placeOf(`${path}:${lineno}:${colno}`);
  reading.at = 'message';
}

/** One cause stands alone; several are numbered, each the cause of the one before it. */
function readCause(reading: Reading, line: string): void {
  if (line.trim() === '') return;
  const isNumbered = numbered.exec(line)?.[1];
  if (isNumbered === undefined && reading.last !== reading.main) {
    reading.last?.value.push(line.trim());
    return;
  }
  const cause = draft('Error', isNumbered ?? line.trim(), { relation: 'cause', parent: reading.last });
  reading.last = cause;
  reading.drafts.push(cause);
}

/** Whether the line belongs to the backtrace. */
function readFrame(main: Draft, line: string): boolean {
  const last = main.frames.at(-1);
  const at = last && last.absPath === undefined ? place.exec(line)?.[1] : undefined;
  if (last && at !== undefined) {
    const { inApp, ...found } = placeOf(at);
    main.frames[main.frames.length - 1] = { ...last, ...found, inApp: last.inApp !== false && inApp };
    return true;
  }
  const name = call.exec(line)?.[1];
  if (name === undefined) return line.trim() === '' && main.frames.length === 0;
  main.frames.push(named(name.replaceAll(hashes, '')));
  return true;
}

const standard = /^(?:<.{0,300} as )?&?(?:mut )?(?:core|alloc|std|rust_begin_unwind|__rust_|backtrace)(?:::|_|$)/;
const entry = /^(?:_start|main|__libc_start\w{0,40}|start_thread|clone3?|__clone3?|_?_?rust_\w{0,40}|<unknown>)$/;

function named(name: string): StackFrame {
  const crate = /^<?&?(?:dyn )?([a-z_][\w-]{0,100})::/i.exec(name)?.[1];
  const isForeign = standard.test(name) || entry.test(name);
  return { function: name, ...(crate !== undefined && { package: crate }), ...(isForeign && { inApp: false }) };
}

const foreignPath =
  /^\/rustc\/|[\\/]\.cargo[\\/](?:registry|git)[\\/]|[\\/]\.rustup[\\/]|[\\/]library[\\/](?:core|alloc|std)[\\/]/;

function placeOf(text: string): StackFrame {
  const { path, lineno, colno } = splitPlace(text);
  const filename = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return { filename, absPath: path, lineno, colno, inApp: !foreignPath.test(path) };
}
