/** The report of an event, as the API gives events. */
import type { StackException, StackFrame } from '../types.ts';
import { type Link, linksOf } from './chain.ts';
import type { StackReport, WrittenLanguage } from './report.ts';

type Data = Readonly<Record<string, unknown>>;

/** What of an event's frame is written. */
export interface EventFrame {
  readonly filename: string | null;
  readonly absPath: string | null;
  readonly module: string | null;
  readonly package: string | null;
  readonly platform: string | null;
  readonly function: string | null;
  readonly lineNo: number | null;
  readonly colNo: number | null;
  readonly inApp: boolean;
  readonly native?: boolean | null;
  readonly context: readonly (readonly [number, string])[];
}

interface EventStack {
  readonly frames: readonly EventFrame[];
  /** Where frames were left out, and where the next one was. */
  readonly framesOmitted?: readonly [number, number] | null;
}

interface EventException {
  readonly type: string | null;
  readonly value: string | null;
  readonly module: string | null;
  readonly mechanism: Data | null;
  readonly threadId: string | null;
  readonly stacktrace: EventStack | null;
}

interface EventThread {
  readonly id: string | null;
  readonly name: string | null;
  readonly crashed: boolean;
  readonly current: boolean;
  readonly stacktrace: EventStack | null;
}

/** What of an event is written; other entries say nothing of its stacks. */
export interface StackEvent {
  readonly platform: string | null;
  readonly level?: string | null;
  readonly sdk?: { readonly name: string } | null;
  readonly contexts?: Readonly<Record<string, Data>>;
  readonly entries: readonly { readonly type: string; readonly data: unknown }[];
}

/** Exceptions of an event and frames of a stack that are written. */
const maxExceptions = 100;
const maxFrames = 2000;

/** Empty of exceptions where nothing of the event has a stack. */
export function reportOf(event: StackEvent): StackReport {
  const values = entry<{ values: readonly EventException[] }>(event, 'exception')?.values ?? [];
  const language = languageOf(event, values);
  const threads = entry<{ values: readonly EventThread[] }>(event, 'threads')?.values ?? [];
  const version = versionOf(event, language);
  if (values.length > 0) {
    const outermost = values.at(-1);
    const exceptions = exceptionsOf(values, event.platform ?? '');
    const thread = threads.find(({ id }) => id !== null && id === outermost?.threadId)?.name;
    // Java names the thread that an exception ended only.
    const unhandled = isUnhandled(event, outermost) ?? (language === 'java' ? false : undefined);
    return { language, exceptions, version, thread: thread ?? undefined, unhandled };
  }
  const thread = threads.find((each) => each.crashed && each.stacktrace) ?? threads.find(hasCurrentStack);
  const stack = entry<EventStack>(event, 'stacktrace') ?? thread?.stacktrace;
  const value = entry<{ formatted: string }>(event, 'message')?.formatted ?? '';
  const exceptions = stack ? [{ type: '', value, frames: framesOf(stack) }] : [];
  return { language, exceptions, version, thread: thread?.name ?? undefined, unhandled: isUnhandled(event, undefined) };
}

/** `values`: the oldest first, as the API has them. */
function exceptionsOf(values: readonly EventException[], platform: string): readonly StackException[] {
  const newest = values.slice(-maxExceptions).toReversed();
  const frames = newest.map(({ stacktrace }) => framesOf(stacktrace));
  const links = linksBetween(newest, platform);
  return newest.map(({ type, value, module }, index) => ({
    type: type ?? 'Error',
    ...(module && { module }),
    value: value ?? '',
    frames: frames[index] ?? [],
    parent: links[index]?.parent,
    // What Python prints unless the code says more.
    relation: index === 0 ? undefined : (links[index]?.relation ?? 'context'),
  }));
}

/** What each exception of an event is to which other. `exceptions`: the outermost one first, as `parent` counts them. */
export function linksBetween(
  exceptions: readonly Pick<EventException, 'type' | 'mechanism' | 'stacktrace'>[],
  platform: string,
): Link[] {
  const said = exceptions.map(({ type, mechanism, stacktrace }) => ({
    type: type ?? '',
    mechanism: mechanism ?? undefined,
    source: raisedIn(stacktrace),
  }));
  return linksOf(said, platform);
}

/** What was left out between two equal calls of a recursion was that call. */
function framesOf(stack: EventStack | null): readonly StackFrame[] {
  const frames = (stack?.frames ?? []).map(frameOf);
  const [from, until] = stack?.framesOmitted ?? [0, 0];
  const [before, after] = [frames[from - 1], frames[from]];
  if (before && after && isSameCall(before, after))
    frames.splice(from, 0, ...Array.from({ length: Math.min(until - from, maxFrames) }, () => after));
  return frames.slice(-maxFrames);
}

const isSameCall = (one: StackFrame, other: StackFrame): boolean =>
  one.function === other.function && one.lineno === other.lineno && one.absPath === other.absPath;

/** The line that failed with those after it. */
function raisedIn(stack: EventStack | null): readonly string[] {
  const frame = stack?.frames.at(-1);
  return (frame?.context ?? []).filter(([number]) => number >= (frame?.lineNo ?? Infinity)).map(([, line]) => line);
}

export function frameOf(frame: EventFrame): StackFrame {
  return {
    function: frame.function ?? undefined,
    module: frame.module || undefined,
    package: frame.package ?? undefined,
    filename: frame.filename ?? undefined,
    absPath: frame.absPath ?? undefined,
    lineno: frame.lineNo ?? undefined,
    colno: frame.colNo ?? undefined,
    inApp: frame.inApp,
    native: frame.native ?? undefined,
    source: frame.context.find(([number]) => number === frame.lineNo)?.[1].trim(),
  };
}

const languages: Readonly<Record<string, WrittenLanguage>> = {
  c: 'native',
  cocoa: 'native',
  csharp: 'csharp',
  dart: 'dart',
  elixir: 'elixir',
  go: 'go',
  groovy: 'java',
  java: 'java',
  kotlin: 'java',
  native: 'native',
  objc: 'native',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
  rust: 'rust',
  swift: 'native',
};

/** SDKs of Rust call their platform `native`. A language without a form of its own is written as JavaScript is. */
function languageOf({ platform, sdk }: StackEvent, values: readonly EventException[]): WrittenLanguage {
  if (platform === 'native' && (sdk?.name.startsWith('sentry.rust') || values.some(isOfRust))) return 'rust';
  const known = platform !== null && Object.hasOwn(languages, platform) ? languages[platform] : undefined;
  return known ?? 'javascript';
}

const isOfRust = ({ stacktrace }: EventException): boolean =>
  stacktrace?.frames.some(({ filename }) => filename?.endsWith('.rs')) ?? false;

/** The device's own Java has no modules, whatever its version. */
function versionOf({ contexts }: StackEvent, language: WrittenLanguage): string | undefined {
  if (language === 'java' && contexts?.['os']?.['name'] === 'Android') return undefined;
  const version = contexts?.['runtime']?.['version'];
  return typeof version === 'string' ? version : undefined;
}

/** Go's SDK says nothing of how an error was caught; it reports what ends the program as fatal. */
function isUnhandled({ platform, level }: StackEvent, exception: EventException | undefined): boolean | undefined {
  const handled = exception?.mechanism?.['handled'];
  if (typeof handled === 'boolean') return !handled;
  return platform === 'go' ? level === 'fatal' : undefined;
}

const hasCurrentStack = (thread: EventThread): boolean => thread.current && thread.stacktrace !== null;

/** The server made it. */
const entry = <T>({ entries }: StackEvent, type: string): T | undefined =>
  entries.find((each) => each.type === type)?.data as T | undefined;
