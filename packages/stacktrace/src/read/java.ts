/** Stacks of Java, Kotlin and Scala; also what OpenTelemetry's PHP prints in their manner. */
import type { StackFrame, StackText } from '../types.ts';
import {
  type Draft,
  draft,
  finish,
  indentOf,
  linesOf,
  maxExceptions,
  maxFrames,
  splitName,
  splitPlace,
} from './text.ts';

const thread = /^Exception in thread "([^"]{0,200})" (.*)$/;
const headerLine = /^([\p{L}_$][\p{L}\p{N}_$.\\/-]{0,400})(?:: ?(.*))?$/u;
const call =
  /^at ((?:[\w.-]{0,100}(?:@[\w.+-]{1,60})?\/){1,2})?([^()]{0,499}[^()\s])\(([^()]{1,400})\)(?: ~?\[[^\]]{0,200}\])?$/;
const omitted = /^\.\.\. (\d{1,9}) (?:more|common frames omitted)$/;
const circular = /^\[CIRCULAR REFERENCE: ?(.{1,1000}?)\]?$/;

interface Read extends Draft {
  readonly indent: number;
  /** Calls that it shares with the one it belongs to. */
  shared: number;
}

export function readJava(text: string): StackText | undefined {
  const found: Read[] = [];
  const before: string[] = [];
  let name: string | undefined;
  let current: Read | undefined;
  let isInMessage = false;
  for (const full of linesOf(text)) {
    const indent = indentOf(full);
    const line = full.slice(indent).trimEnd();
    const frame = line.startsWith('at ') ? frameOf(line) : undefined;
    const label = labelOf(line);
    if (!current) {
      if (frame || (label && before.length > 0)) ({ current, name } = beginFirst(found, before));
      else before.push(full);
    }
    if (!current) continue;
    const more = line.startsWith('... ') ? omitted.exec(line) : undefined;
    if (frame) current.frames.push(frame);
    else if (more) current.shared = Number(more[1]);
    else if (label) {
      if (found.length >= maxExceptions) break;
      const next = beginRelated(found, current, line, label, indent);
      isInMessage = next !== current;
      current = next;
      continue;
    } else if (isInMessage) {
      current.value.push(full);
      continue;
    } else if (indent === 0 && line !== '') break;
    isInMessage = false;
  }
  if (!found.some(({ frames }) => frames.length > 0)) return undefined;
  for (const one of found) expand(one);
  return { language: 'java', exceptions: finish(found, true), ...(name !== undefined && { thread: name }) };
}

/** Lines of a log may stand before the line that names the exception, and its message may have several lines. */
function beginFirst(found: Read[], before: readonly string[]): { current: Read; name: string | undefined } {
  const isHeader = (line: string): boolean => {
    const said = headerLine.exec(line)?.[1];
    return said !== undefined && (said.includes('.') || /(?:Exception|Error|Throwable)$/.test(said));
  };
  const inThread = before.findLastIndex((line) => thread.test(line));
  const place = inThread >= 0 ? inThread : before.findIndex(isHeader);
  const at = place >= 0 ? place : Math.max(0, before.length - 1);
  const [, name, rest] = thread.exec(before[at] ?? '') ?? [];
  const current = begin(found, rest ?? before[at]?.trim() ?? '', 0);
  current.value.push(...before.slice(at + 1));
  return { current, name };
}

/** The exception to read on with; what was printed before already is only named. */
function beginRelated(found: Read[], current: Read, line: string, label: string, indent: number): Read {
  const isSuppressed = label === suppressedBy;
  const said = line.slice(label.length);
  const again = circular.exec(said)?.[1];
  const parent = parentOf(found, indent, isSuppressed) ?? current;
  const one = begin(found, again ?? said, indent);
  one.parent = parent;
  one.relation = isSuppressed ? 'suppressed' : 'cause';
  return again === undefined ? one : current;
}

const causedBy = 'Caused by: ';
const suppressedBy = 'Suppressed: ';

function labelOf(line: string): string | undefined {
  if (line.startsWith(causedBy)) return causedBy;
  return line.startsWith(suppressedBy) ? suppressedBy : undefined;
}

/** A cause stands as far in as what it caused, a suppressed one further. */
function parentOf(found: readonly Read[], indent: number, isSuppressed: boolean): Read | undefined {
  return found.findLast((one) => (isSuppressed ? one.indent < indent : one.indent === indent));
}

function begin(found: Read[], said: string, indent: number): Read {
  const [, name, value] = headerLine.exec(said) ?? [];
  const parts = name === undefined ? { type: '' } : splitName(name.replaceAll('\\', '.'));
  const one = { ...draft('', name === undefined ? said || undefined : value), ...parts, indent, shared: 0 };
  found.push(one);
  return one;
}

/** The calls that the text leaves out are the oldest of the exception that it belongs to. */
function expand(one: Read): void {
  if (one.shared === 0 || !one.parent) return;
  const room = Math.min(one.shared, maxFrames - one.frames.length);
  if (room <= 0) return;
  const { frames } = one.parent;
  const start = Math.max(0, frames.length - one.shared);
  one.frames.push(...frames.slice(start, start + room));
}

function frameOf(line: string): StackFrame | undefined {
  const [, prefix, name = '', place = ''] = call.exec(line) ?? [];
  if (name === '') return undefined;
  const dotted = name.replaceAll('\\', '.');
  const dot = dotted.lastIndexOf('.');
  const { path, lineno } = splitPlace(place);
  const isNative = path === 'Native Method';
  const filename = isNative || path === 'Unknown Source' || path === '' ? undefined : path;
  return {
    ...(dot > 0 ? { module: dotted.slice(0, dot), function: dotted.slice(dot + 1) } : { function: dotted }),
    ...(prefix !== undefined && { package: prefix.slice(0, -1).replace(/\/$/, '') }),
    filename,
    lineno,
    ...(isNative && { native: true }),
    inApp: prefix === undefined || !/^(?:java|jdk)\./.test(prefix),
  };
}
