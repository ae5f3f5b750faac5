/** The line that failed, and the errors with their calls: what is ours has its source and its variables. */
import {
  frameOf,
  habitOf,
  linksBetween,
  reportOf,
  type StackReport,
  type StackRelation,
  writeFrame,
  type WrittenLanguage,
} from '@culprit/stacktrace';
import { visibleLine } from '../../base/visible.ts';
import { limits } from './limits.ts';
import type { BriefCall, BriefError, BriefEvent, BriefFailure, BriefFrame, BriefLine, Data } from './types.ts';
import { lineOrNull, manyLines, namedValues } from './values.ts';

interface Stack {
  readonly frames: readonly BriefFrame[];
}

interface Thrown {
  readonly type: string | null;
  readonly value: string | null;
  readonly module: string | null;
  readonly mechanism: Data | null;
  readonly threadId: string | null;
  readonly stacktrace: (Stack & { readonly framesOmitted?: readonly [number, number] | null }) | null;
}

interface Thread {
  readonly crashed: boolean;
  readonly current: boolean;
  readonly stacktrace: Stack | null;
}

/** An error with what it is to which other; `frames`: oldest call first. */
interface Linked {
  readonly type: string;
  readonly message: string;
  readonly handled: boolean | null;
  readonly relation: StackRelation | null;
  readonly parent: number | undefined;
  readonly frames: readonly BriefFrame[];
}

export interface Failures {
  readonly language: WrittenLanguage | null;
  readonly failure: BriefFailure | null;
  readonly errors: readonly BriefError[];
}

export function failuresOf(event: BriefEvent): Failures {
  const linked = linkedErrors(event);
  if (!linked.length) return { language: null, failure: null, errors: [] };
  const report = reportOf(event);
  const at = failingIndex(linked);
  const shown = new Set([...linked.keys()].slice(0, limits.errors)).add(at);
  const errors = [...shown].map((index) => toError(linked[index]!, report, index === at));
  return { language: report.language, failure: toFailure(linked[at]!), errors };
}

export const entryOf = <T>({ entries }: BriefEvent, type: string): T | undefined =>
  entries.find((each) => each.type === type)?.data as T | undefined;

function linkedErrors(event: BriefEvent): Linked[] {
  const values = entryOf<{ values: readonly Thrown[] }>(event, 'exception')?.values.toReversed() ?? [];
  const bare = bareStack(event);
  if (!values.length) {
    if (!bare) return [];
    const message = entryOf<{ formatted: string }>(event, 'message')?.formatted ?? event.title;
    return [{ type: '', message, handled: null, relation: null, parent: undefined, frames: bare.frames }];
  }
  const links = linksBetween(values, event.platform ?? '');
  const isBare = values.every(({ stacktrace }) => !stacktrace);
  return values.map(({ type, value, module, mechanism, stacktrace }, index) => {
    const handled = mechanism?.['handled'];
    const name = type ?? 'Error';
    const isWithin = module && (event.platform === 'java' || event.platform === 'python') && !name.startsWith(module);
    return {
      type: isWithin ? `${module}.${name}` : name,
      message: value ?? '',
      handled: typeof handled === 'boolean' ? handled : null,
      relation: index === 0 ? null : (links[index]?.relation ?? 'context'),
      parent: links[index]?.parent,
      frames: stacktrace?.frames ?? (isBare && index === 0 ? bare?.frames : undefined) ?? [],
    };
  });
}

/** Of an event without an exception, or of one whose exceptions have no stack: that of the thread that failed. */
function bareStack(event: BriefEvent): Stack | undefined {
  const threads = (entryOf<{ values: readonly Thread[] }>(event, 'threads')?.values ?? []).filter(
    (each) => each.stacktrace,
  );
  const thread =
    threads.find(({ crashed }) => crashed) ??
    threads.find(({ current }) => current) ??
    (threads[1] ? undefined : threads[0]);
  return entryOf<Stack>(event, 'stacktrace') ?? thread?.stacktrace ?? undefined;
}

/**
 * The error that the others come from: down the causes, and the first of a group, as far as there is code of the project.
 * What was merely being handled is another matter.
 */
function failingIndex(linked: readonly Linked[]): number {
  let found = 0;
  for (let at = 0; ;) {
    const next = linked.findIndex(
      (error, index) =>
        index > at &&
        (error.parent ?? index - 1) === at &&
        (error.relation === 'cause' || error.relation === 'member') &&
        !isComponents(error),
    );
    if (next < 0) break;
    at = next;
    if (hasOwn(linked[at]) || !hasOwn(linked[found])) found = linked[at]!.frames.length ? at : found;
  }
  if (linked[found]!.frames.length) return found;
  const own = linked.findIndex(hasOwn);
  return own >= 0
    ? own
    : Math.max(
        0,
        linked.findIndex(({ frames }) => frames.length > 0),
      );
}

/** The components around an error, which React's SDK gives as a cause of it. */
const isComponents = ({ type }: Linked): boolean => type.startsWith('React ErrorBoundary ');

const hasOwn = (error: Linked | undefined): boolean => error?.frames.some(({ inApp }) => inApp) ?? false;

const failingFrame = (frames: readonly BriefFrame[]): BriefFrame | undefined =>
  frames.findLast(({ inApp }) => inApp) ?? frames.at(-1);

function toFailure({ type, message, frames }: Linked): BriefFailure | null {
  const frame = failingFrame(frames);
  if (!frame) return null;
  return {
    type: visibleLine(type, limits.title),
    message: visibleLine(message, limits.title),
    file: fileOf(frame),
    line: frame.lineNo,
    column: frame.colNo,
    function: lineOrNull(frame.function, limits.title),
    own: frame.inApp,
    url: lineOrNull(frame.sourceLink, limits.title),
    source: sourceOf(frame, limits.sourceLines),
    variables: namedValues(frame.vars, limits.variables),
  };
}

const fileOf = ({ filename, absPath, module }: BriefFrame): string | null =>
  lineOrNull(filename ?? absPath ?? module, limits.title);

/** So many lines around the one of the frame. */
function sourceOf({ context, lineNo }: BriefFrame, most: number): BriefLine[] {
  const at = Math.max(
    0,
    context.findIndex(([number]) => number === lineNo),
  );
  const from = Math.max(0, Math.min(at - Math.floor(most / 2), context.length - most));
  return context
    .slice(from, from + most)
    .map(([number, text]) => [number, manyLines(text, limits.sourceText)] as const);
}

/** The newest calls, and of the older ones those of the project. */
function chosenCalls(frames: readonly BriefFrame[], most: number): readonly number[] {
  const newest = Math.max(0, frames.length - Math.ceil(most * 0.7));
  const older = [...frames.keys()].slice(0, newest).filter((index) => frames[index]?.inApp);
  return [...older.slice(-Math.floor(most * 0.3)), ...[...frames.keys()].slice(newest)];
}

function toError(
  { type, message, handled, relation, frames }: Linked,
  report: StackReport,
  failing: boolean,
): BriefError {
  const chosen = chosenCalls(frames, failing ? limits.calls : limits.otherCalls);
  const order = habitOf(report.language) === 'oldest' ? chosen : chosen.toReversed();
  const at = failingFrame(frames);
  const [end, start] = habitOf(report.language) === 'oldest' ? [frames.length, -1] : [-1, frames.length];
  const hiddenBetween = (one: number, other: number): number => Math.max(0, Math.abs(one - other) - 1);
  const calls = order.map((index, place): BriefCall => {
    const frame = frames[index]!;
    const isFailing = frame === at;
    return {
      text: manyLines(writeFrame(frameOf(frame), report), limits.callText),
      own: frame.inApp,
      hidden: hiddenBetween(index, order[place - 1] ?? start),
      file: fileOf(frame),
      line: frame.lineNo,
      source: frame.inApp || isFailing ? sourceOf(frame, isFailing ? limits.sourceLines : limits.otherSourceLines) : [],
      variables:
        frame.inApp || isFailing ? namedValues(frame.vars, isFailing ? limits.variables : limits.otherVariables) : [],
    };
  });
  return {
    relation,
    type: visibleLine(type, limits.title),
    message: manyLines(message, limits.message),
    handled,
    calls,
    hidden: order.length ? hiddenBetween(order.at(-1)!, end) : 0,
  };
}
