/** What the search looks for in an event's stack traces and exceptions: distinct values, since any of them may match. */
import type { StackColumns } from '../../../base/tables/errors.ts';
import type { Event, Frame } from '../../steps/event.ts';
import { failedThread } from '../../steps/failed-thread.ts';
import { share } from '../../../base/shared-lists.ts';
import { derived, knownStack } from '../../steps/known-stacks.ts';

/** Of one column. An event whose stacks are that different is no longer found by what is in them. */
const maxValues = 500;

/** What stacks are in; none of it in events that are no errors. */
type Thrown = Pick<Event, 'exception' | 'stacktrace' | 'threads'>;

/** Stacks of exceptions, the event's own, and those of the threads that failed: the others were only there. */
function framesOf(event: Thrown): readonly (readonly Frame[])[] {
  const stacks: (readonly Frame[])[] = [];
  for (const { stacktrace } of event.exception?.values ?? []) if (stacktrace) stacks.push(stacktrace.frames);
  if (event.stacktrace) stacks.push(event.stacktrace.frames);
  for (const { crashed, current, stacktrace } of event.threads?.values ?? []) {
    if (stacktrace && (crashed === true || current === true)) stacks.push(stacktrace.frames);
  }
  return stacks;
}

type OfFrames = Pick<StackColumns, Extract<keyof StackColumns, `stack_${string}`>>;

const ofFrames = (frames: readonly Frame[]): OfFrames => ({
  stack_filenames: distinct(frames, (frame) => frame.filename),
  stack_abs_paths: distinct(frames, (frame) => frame.abs_path),
  stack_functions: distinct(frames, (frame) => frame.function),
  stack_modules: distinct(frames, (frame) => frame.module),
  stack_packages: distinct(frames, (frame) => frame.package),
  stack_lines: distinct(frames, (frame) => position(frame.lineno)),
  stack_columns: distinct(frames, (frame) => position(frame.colno)),
  stack_in_app: inApp(frames),
});

function sharedOfFrames(frames: readonly Frame[]): OfFrames {
  const columns = ofFrames(frames);
  for (const list of Object.values(columns)) share(list);
  return columns;
}

/** Of an error and its cause, whose stacks are known. */
const ofPairs = new WeakMap<readonly Frame[], WeakMap<readonly Frame[], OfFrames>>();

function ofPair(first: readonly Frame[], second: readonly Frame[]): OfFrames {
  let seconds = ofPairs.get(first);
  if (!seconds) ofPairs.set(first, (seconds = new WeakMap()));
  let columns = seconds.get(second);
  if (!columns) seconds.set(second, (columns = sharedOfFrames([...first, ...second])));
  return columns;
}

function ofStacks(stacks: readonly (readonly Frame[])[]): OfFrames {
  const [first, second] = stacks;
  if (!first || !stacks.every((frames) => knownStack(frames))) return ofFrames(stacks.flat());
  if (!second) return derived(first, sharedOfFrames);
  return stacks.length === 2 ? ofPair(first, second) : ofFrames(stacks.flat());
}

export function stackColumns(event: Thrown): StackColumns {
  const exceptions = event.exception?.values ?? [];
  return {
    ...ofStacks(framesOf(event)),
    error_types: distinct(exceptions, (exception) => exception.type),
    error_values: distinct(exceptions, (exception) => exception.value),
    error_mechanisms: distinct(exceptions, (exception) => exception.mechanism?.type),
    error_main_thread: onMainThread(event),
  };
}

/** What is absent, empty or 0 is left out. */
function distinct<Item, Value extends string | number>(
  items: readonly Item[],
  valueOf: (one: Item) => Value | undefined,
): Value[] {
  const values = new Set<Value>();
  for (const one of items) {
    const value = valueOf(one);
    if (!value) continue;
    values.add(value);
    if (values.size === maxValues) break;
  }
  return [...values];
}

const maxPosition = 2 ** 32 - 1;

const position = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isInteger(value) && value > 0 && value <= maxPosition ? value : undefined;

function inApp(frames: readonly Frame[]): (0 | 1)[] {
  const values: (0 | 1)[] = [];
  if (frames.some((frame) => frame.in_app === true)) values.push(1);
  if (frames.some((frame) => frame.in_app === false)) values.push(0);
  return values;
}

/** Whether the thread that failed is the main one; null where nobody says. */
function onMainThread(event: Thrown): 0 | 1 | null {
  const main = failedThread(event)?.main;
  return main === undefined ? null : main ? 1 : 0;
}
