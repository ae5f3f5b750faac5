/** A traceback as Python's `traceback` prints it: the oldest call first, causes before what they led to. */
import type { StackException, StackFrame } from '../types.ts';
import type { StackOrder } from './order.ts';
import { childrenOf, type StackReport, type Writer } from './report.ts';
import { linesOf, name, pathOf, qualified } from './words.ts';

/** Equal calls that are printed before the rest of them is counted. */
const maxRepeated = 3;
/** Members of a group that are printed, and groups within groups. */
const maxMembers = 15;
const maxDepth = 10;

const links = {
  cause: 'The above exception was the direct cause of the following exception:',
  context: 'During handling of the above exception, another exception occurred:',
};

export const python: Writer = {
  report: (report, order) => {
    const thread = report.unhandled && report.thread ? [`Exception in thread ${name(report.thread)}:`] : [];
    return report.exceptions.length > 0 ? [...thread, ...chain(report, 0, order, 0)] : [];
  },
  frame: (frame) => `File "${pathOf(frame)}", line ${frame.lineno ?? '?'}, in ${name(frame.function ?? '?')}`,
};

/** An exception after all that led to it. `depth`: of groups around it. */
function chain(report: StackReport, index: number, order: StackOrder, depth: number): string[] {
  const way: { at: number; link: string | undefined }[] = [{ at: index, link: undefined }];
  for (;;) {
    const last = way.at(-1)!;
    const next = childrenOf(report, last.at, 'cause', 'context')[0];
    if (next === undefined) break;
    last.link = links[report.exceptions[next]?.relation === 'context' ? 'context' : 'cause'];
    way.push({ at: next, link: undefined });
  }
  return way
    .toReversed()
    .flatMap(({ at, link }) => [
      ...(link ? ['', link, ''].map((line) => margin(depth) + line) : []),
      ...one(report, at, order, depth),
    ]);
}

function one(report: StackReport, index: number, order: StackOrder, depth: number): string[] {
  const exception = report.exceptions[index]!;
  const members = childrenOf(report, index, 'member');
  if (members.length === 0) {
    return [...stack(exception, order, 'Traceback'), ...lastLines(exception)].map((line) => margin(depth) + line);
  }
  if (depth > maxDepth) return [`${margin(depth)}... (max_group_depth is ${maxDepth})`];
  const inside = Math.max(1, depth);
  const head = [...stack(exception, order, 'Exception Group Traceback'), ...lastLines(exception, members.length)];
  return [
    ...head.map(
      (line, at) => (depth === 0 && at === 0 && exception.frames.length > 0 ? '  + ' : margin(inside)) + line,
    ),
    ...group(report, members, order, inside),
  ];
}

function group(report: StackReport, members: readonly number[], order: StackOrder, depth: number): string[] {
  const shown = members.slice(0, maxMembers);
  const more = members.length - shown.length;
  const blocks = shown.map((at) => chain(report, at, order, depth + 1));
  if (more > 0) blocks.push([`${margin(depth + 1)}and ${more} more exception${more === 1 ? '' : 's'}`]);
  const indent = '  '.repeat(depth);
  const lines = blocks.flatMap((block, at) => [
    `${indent}${at === 0 ? '+-' : '  '}+---------------- ${at < maxMembers ? at + 1 : '...'} ----------------`,
    ...block,
  ]);
  // A group at the end has closed all that end with it.
  const last = members.at(-1);
  const closed = more === 0 && last !== undefined && depth < maxDepth && endsInGroup(report, last);
  return closed ? lines : [...lines, `${indent}  +------------------------------------`];
}

const endsInGroup = (report: StackReport, index: number): boolean => childrenOf(report, index, 'member').length > 0;

const margin = (depth: number): string => (depth === 0 ? '' : `${'  '.repeat(depth)}| `);

function stack({ frames }: StackException, order: StackOrder, title: string): string[] {
  if (frames.length === 0) return [];
  const calls = folded(frames);
  return [
    `${title} (most recent call ${order === 'oldest' ? 'last' : 'first'}):`,
    ...(order === 'oldest' ? calls : calls.toReversed()).flat(),
  ];
}

/** Calls of a stack, each with its source line; from the fourth equal one in a row on they are counted. */
function folded(frames: readonly StackFrame[]): string[][] {
  const calls: string[][] = [];
  let before: string | undefined;
  let count = 0;
  const flush = (): void => {
    const more = count - maxRepeated;
    if (more > 0) calls.push([`  [Previous line repeated ${more} more time${more === 1 ? '' : 's'}]`]);
  };
  for (const frame of frames) {
    const call = `  ${python.frame(frame)}`;
    if (call !== before) {
      flush();
      [before, count] = [call, 0];
    }
    count++;
    if (count > maxRepeated) continue;
    const source = name(frame.source?.trim() ?? '');
    calls.push(source ? [call, `    ${source}`] : [call]);
  }
  flush();
  return calls;
}

/** What was raised. Python says how many a group holds; its message alone does not. */
function lastLines(exception: StackException, members = 0): readonly string[] {
  const type = exception.module && !own.has(exception.module) ? qualified(exception) : name(exception.type);
  const [first = '', ...rest] = linesOf(exception);
  const count = members === 0 || / sub-exceptions?\)$/.test(first) ? '' : counted(members);
  const headed = type ? (first || count ? `${type}: ${first}${count}` : type) : first;
  return headed || rest.length > 0 ? [headed, ...rest] : [];
}

/** Modules that Python does not print before a type. */
const own = new Set(['builtins', '__main__']);

const counted = (members: number): string => ` (${members} sub-exception${members === 1 ? '' : 's'})`;
