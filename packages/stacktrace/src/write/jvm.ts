/** A stack trace as `Throwable.printStackTrace` prints it, for Java, Kotlin and what else runs on their machine. */
import type { StackFrame } from '../types.ts';
import type { StackOrder } from './order.ts';
import { childrenOf, newestFirst, ordered, type StackReport, type Writer } from './report.ts';
import { headline, name, qualified, versionOf } from './words.ts';
import { moduleOf } from './jvm-modules.ts';

export const jvm: Writer = {
  report: (report, order) => {
    const thrown = report.unhandled !== false && report.thread ? `Exception in thread "${name(report.thread)}" ` : '';
    return report.exceptions.length > 0
      ? one(report, { index: 0, caption: thrown, indent: '', around: [] }, order)
      : [];
  },
  frame: (frame, report) => `at ${call(frame, report?.version)}`,
};

interface Place {
  readonly index: number;
  readonly caption: string;
  readonly indent: string;
  /** Calls of the exception that this one belongs to. */
  readonly around: readonly string[];
}

function one(report: StackReport, { index, caption, indent, around }: Place, order: StackOrder): string[] {
  const exception = report.exceptions[index]!;
  const calls = newestFirst(exception).map((frame) => call(frame, report.version));
  const common = inCommon(calls, around);
  const shown = calls.slice(0, calls.length - common).map((each) => `${indent}\tat ${each}`);
  const rest = common > 0 ? [`${indent}\t... ${common} more`] : [];
  const inner = (at: number, captioned: string, further: string): string[] =>
    one(report, { index: at, caption: captioned, indent: further, around: calls }, order);
  return [
    `${indent}${caption}${headline(qualified(exception), exception)}`,
    ...ordered([...shown, ...rest], order),
    ...childrenOf(report, index, 'suppressed', 'member').flatMap((at) => inner(at, 'Suppressed: ', `${indent}\t`)),
    ...childrenOf(report, index, 'cause', 'context').flatMap((at) => inner(at, 'Caused by: ', indent)),
  ].filter(Boolean);
}

/** How many of the oldest calls are those of the exception around. */
function inCommon(calls: readonly string[], around: readonly string[]): number {
  const most = Math.min(calls.length, around.length);
  let common = 0;
  while (common < most && calls[calls.length - 1 - common] === around[around.length - 1 - common]) common++;
  return common;
}

/** `java.base/java.lang.Integer.parseInt(Integer.java:668)`; Java names modules since its ninth version. */
function call(frame: StackFrame, version: string | undefined): string {
  const [major] = versionOf(version);
  const module = frame.package ?? (major >= 9 && frame.module ? moduleOf(frame.module) : undefined);
  const method = [frame.module, frame.function || '<unknown>'].filter(Boolean).join('.');
  return `${name(module ? `${module}/${method}` : method)}(${source(frame)})`;
}

function source({ native, filename, absPath, lineno }: StackFrame): string {
  if (native) return 'Native Method';
  const file = name((filename ?? absPath ?? '').replace(/^.*[/\\]/s, ''));
  if (!file) return 'Unknown Source';
  return lineno === undefined || lineno < 0 ? file : `${file}:${lineno}`;
}
