/** A panic as Rust's standard library prints it, and an error as `anyhow` does when `main` returns it. */
import type { StackException, StackFrame } from '../types.ts';
import type { StackOrder } from './order.ts';
import { newestFirst, ordered, type StackReport, type Writer } from './report.ts';
import { linesOf, message, name, pathOf, placeOf, positionOf } from './words.ts';

export const rust: Writer = {
  report: (report, order) => {
    const [first] = report.exceptions;
    if (!first) return [];
    return first.type === 'panic' ? panic(report, first, order) : error(report, first, order);
  },
  frame: (frame) => [name(frame.function || '<unknown>'), ...place(frame)].join('\n'),
};

function panic(report: StackReport, exception: StackException, order: StackOrder): readonly string[] {
  const calls = known(newestFirst(exception));
  // The machinery of panics and what starts a program stand outside of these two.
  const from = calls.findIndex((frame) => frame.function?.includes('__rust_end_short_backtrace')) + 1;
  const until = calls.findIndex((frame) => frame.function?.includes('__rust_begin_short_backtrace'));
  const shown = calls.slice(from, until < from ? undefined : until);
  const thread = name(report.thread ?? (calls.some(startsMain) ? 'main' : '<unnamed>'));
  const at = shown.find((frame) => !isCompilers(frame));
  // A text without calls has a place.
  const named = shown.filter((frame) => frame.function);
  return [
    `thread '${thread}' panicked at ${at ? placeOf(at) : '<unknown>'}:`,
    ...linesOf(exception),
    ...(named.length > 0 ? ['stack backtrace:', ...numbered(named, order)] : []),
    ...(shown.length < calls.length
      ? ['note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.']
      : []),
  ];
}

function error({ exceptions }: StackReport, first: StackException, order: StackOrder): readonly string[] {
  const causes = exceptions.slice(1).map(linesOf);
  // The newest calls are those that take the backtrace.
  const calls = known(newestFirst(first));
  const from = calls.findIndex((frame) => !/^<?std::backtrace/.test(frame.function ?? ''));
  const shown = calls.slice(Math.max(0, from));
  return [
    ...`${first.type ? 'Error: ' : ''}${message(first.value)}`.split('\n'),
    ...(causes.length > 0 ? ['', 'Caused by:', ...causes.flatMap(causes.length > 1 ? cause : indented)] : []),
    ...(shown.length > 0 ? ['', 'Stack backtrace:', ...numbered(shown, order)] : []),
  ];
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `    ${line}`);

const cause = ([first = '', ...rest]: readonly string[], index: number): readonly string[] => [
  `${String(index).padStart(5)}: ${first}`,
  ...rest.map((line) => `       ${line}`),
];

/** A stack's end below the program's start has neither name nor address. */
function known(calls: readonly StackFrame[]): readonly StackFrame[] {
  const last = calls.at(-1);
  const isNothing = last && (!last.function || last.function === '<unknown>') && !pathOf(last);
  return isNothing ? calls.slice(0, -1) : calls;
}

function numbered(calls: readonly StackFrame[], order: StackOrder): readonly string[] {
  const blocks = calls.map((frame, index) =>
    [`${String(index).padStart(4)}: ${name(frame.function || '<unknown>')}`, ...place(frame)].join('\n'),
  );
  return ordered(blocks, order).flatMap((block) => block.split('\n'));
}

const place = (frame: StackFrame): readonly string[] => {
  const path = pathOf(frame);
  return path ? [`             at ${[path, ...positionOf(frame)].join(':')}`] : [];
};

const startsMain = ({ function: called = '' }: StackFrame): boolean =>
  called.startsWith('std::rt::lang_start') || called.startsWith('__libc_start_');

/** Of the compiler's own libraries, which say who called them when they panic. */
function isCompilers({ absPath, function: called }: StackFrame): boolean {
  return absPath?.startsWith('/rustc/') || /^(?:<?(?:core|alloc|std)::|__rustc|rust_)/.test(called ?? '');
}
