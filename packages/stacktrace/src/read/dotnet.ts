/** .NET's exceptions: what led to one is printed inside of it, before its own calls. */
import type { StackFrame, StackText } from '../types.ts';
import { shortPath } from './paths.ts';
import { type Draft, draft, finish, linesOf, maxExceptions, splitName } from './text.ts';

const arrow = '---> ';
const memberOf = /^\(Inner Exception #\d{1,6}\) /;
const innerEnd = '--- End of inner exception stack trace ---';
const closing = '<---';
const named = /^([A-Za-z_][\w.+`[\],]{0,400})(?: \(0x[\dA-Fa-f]{1,8}\))?(?:: ?(.*))?$/;
const unhandled = /^Unhandled [Ee]xception[.:] /;
/** Arguments stand right after the name; in JavaScript a place stands after a blank. */
const call = /^at [^()]{0,500}[^()\s]\(/;
const start = /^[A-Za-z_][\w.+`]{0,400}(?:Exception|Error|Failure)\b/;

export function readDotnet(text: string): StackText | undefined {
  const found: Draft[] = [];
  // The exception that calls belong to is the last one.
  const open: Draft[] = [];
  const before: string[] = [];
  let isInMessage = false;
  const begin = (said: string): void => {
    const parent = open.at(-1);
    const isMember = memberOf.test(said);
    // Before .NET Core all headers stand in one line.
    for (const [index, header] of said.replace(memberOf, '').split(` ${arrow}`).slice(0, maxExceptions).entries()) {
      const one = headerOf(header.trim());
      one.parent = index === 0 ? parent : open.at(-1);
      const isOfGroup = isMember && index === 0 ? true : one.parent?.type === 'AggregateException';
      one.relation = one.parent && (isOfGroup ? 'member' : 'cause');
      found.push(one);
      open.push(one);
    }
    isInMessage = true;
  };
  for (const full of linesOf(text)) {
    if (found.length > maxExceptions) break;
    let line = full.trim();
    let closed = 0;
    while (line.endsWith(closing)) {
      line = line.slice(0, -closing.length).trimEnd();
      closed++;
    }
    const isCall = full.startsWith(' ') && line.startsWith('at ') && call.test(line);
    if (open.length === 0) {
      if (isCall) begin(firstHeader(before));
      else if (line.startsWith(arrow)) begin(firstHeader(before));
      else {
        before.push(line);
        continue;
      }
    }
    if (isCall) {
      open.at(-1)?.frames.push(frameOf(line.slice('at '.length)));
      isInMessage = false;
    } else if (line.startsWith(arrow)) begin(line.slice(arrow.length));
    else if (line === innerEnd) {
      if (open.length > 1) open.pop();
      isInMessage = false;
    } else if (line.startsWith('--- End of stack trace')) isInMessage = false;
    else if (isInMessage) open.at(-1)?.value.push(line);
    else if (line !== '' && closed === 0 && open.length === 1) break;
    for (; closed > 0 && open.length > 1; closed--) open.pop();
  }
  if (!found.some(({ frames }) => frames.length > 0)) return undefined;
  return { language: 'csharp', exceptions: finish(found, true) };
}

/** Lines of a log may stand before it, and a message may have several lines. */
function firstHeader(before: readonly string[]): string {
  const place = before.findIndex((line) => unhandled.test(line) || start.test(line));
  const [head = '', ...rest] = before.slice(place >= 0 ? place : -1);
  return [head.replace(unhandled, ''), ...rest].join('\n');
}

function headerOf(said: string): Draft {
  const [first = '', ...rest] = said.split('\n');
  const [, name, value] = named.exec(first) ?? [];
  const one = name === undefined ? draft('', first) : draft('', value, splitName(name));
  one.value.push(...rest);
  return one;
}

const lineMark = ':line ';

function frameOf(said: string): StackFrame {
  const mark = said.lastIndexOf(lineMark);
  const digits = mark < 0 ? '' : said.slice(mark + lineMark.length);
  const from = /^\d{1,9}$/.test(digits) ? said.lastIndexOf(' in ', mark) : -1;
  const call = from < 0 ? said : said.slice(0, from);
  const named = nameOf(call);
  const inApp = !/^(?:System|Microsoft)\b/.test(named.module ?? named.function ?? '');
  if (from < 0) return { ...named, inApp };
  const path = said.slice(from + ' in '.length, mark);
  const filename = shortPath(path.replaceAll('\\', '/'));
  return { ...named, filename, absPath: path, lineno: Number(digits), inApp };
}

/** `Shop.Cart.Read[T](String text)` → `Shop.Cart` and `Read[T]`; `Shop.Cart..ctor()` → `Shop.Cart` and `.ctor`. */
function nameOf(call: string): Pick<StackFrame, 'function' | 'module'> {
  const open = call.indexOf('(');
  const name = open > 0 ? call.slice(0, open) : call;
  const generic = name.endsWith(']') ? name.indexOf('[') : name.length;
  let dot = name.lastIndexOf('.', generic > 0 ? generic - 1 : undefined);
  if (dot > 0 && name.charAt(dot - 1) === '.') dot--;
  return dot <= 0 ? { function: name } : { module: name.slice(0, dot), function: name.slice(dot + 1) };
}
