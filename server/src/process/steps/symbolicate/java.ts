/** Obfuscated frames and exceptions of Java become those that were written. Mappings come through `JavaMapping`, from whoever has them. */
import type { Event, Exception, Frame } from '../event.ts';
import { frameFamily } from '../family.ts';
import { countLimits, cutText, textLimits } from '../limits.ts';
import { type MappedClass, readClass } from './proguard/read.ts';
import { descriptorOf, type JavaFrame, retrace, type RetraceContext, type Written } from './proguard/retrace.ts';
import { stacktracesOf } from './scripts.ts';

export interface JavaMapping {
  readonly id: string;
  /** The lines of the mapping about a class, by obfuscated name. */
  classText(obfuscated: string): Promise<string | undefined>;
  /** By original name; '' where the mapping does not say. */
  sourceFile(original: string): Promise<string>;
}

const maxClasses = 1_000;
/** A class of a library that was merged may have as many methods as it likes; not all of them are read for an event. */
const maxHolders = 500;
const maxAlternatives = 5;

/** Changes the event in place once everything has been looked up. Returns how many frames were changed. */
export async function retraceEvent(event: Event, mapping: JavaMapping): Promise<number> {
  const names = classNamesOf(event);
  const classes = new Map<string, MappedClass>();
  await Promise.all(
    [...names].slice(0, maxClasses).map(async (name) => {
      const text = await mapping.classText(name);
      const read = text === undefined ? undefined : readClass(text);
      if (read) classes.set(name, read);
    }),
  );
  if (classes.size === 0) return 0;
  const files = await sourceFilesOf(event, classes, mapping);
  const context: RetraceContext = {
    classOf: (name) => classes.get(name),
    sourceFileOf: (name) => files.get(name) ?? '',
  };
  let changed = 0;
  for (const exception of event.exception?.values ?? []) {
    const obfuscated = exceptionName(exception);
    const original = obfuscated === undefined ? undefined : classes.get(obfuscated)?.name;
    const thrown = obfuscated === undefined ? [] : [descriptorOf(obfuscated), descriptorOf(original ?? obfuscated)];
    if (exception.stacktrace) changed += retraceFrames(event, exception.stacktrace.frames, thrown, context, mapping.id);
    if (original !== undefined) rename(exception, original);
  }
  for (const { stacktrace } of event.threads?.values ?? [])
    if (stacktrace) changed += retraceFrames(event, stacktrace.frames, [], context, mapping.id);
  if (event.stacktrace) changed += retraceFrames(event, event.stacktrace.frames, [], context, mapping.id);
  return changed;
}

const exceptionName = ({ type, module }: Exception): string | undefined =>
  type === undefined ? undefined : module === undefined ? type : `${module}.${type}`;

function rename(exception: Exception, original: string): void {
  const dot = original.lastIndexOf('.');
  exception.type = cutText(original.slice(dot + 1), textLimits.type);
  exception.module = dot < 0 ? undefined : cutText(original.slice(0, dot), textLimits.type);
  if (exception.module === undefined) delete exception.module;
}

const isMapped = ({ data }: Frame): boolean => data?.sourcemap !== undefined;

/** A frame that can be looked up. */
function javaFrame(frame: Frame, platform: string): JavaFrame | undefined {
  if (frame.module === undefined || frame.function === undefined || isMapped(frame)) return undefined;
  if (frameFamily(frame, platform) !== 'java') return undefined;
  return { className: frame.module, method: frame.function, line: frame.lineno ?? 0, file: frame.filename ?? '' };
}

function classNamesOf(event: Event): Set<string> {
  const names = new Set<string>();
  for (const exception of event.exception?.values ?? []) {
    const name = exceptionName(exception);
    if (name !== undefined) names.add(name);
  }
  for (const { frames } of stacktracesOf(event)) {
    for (const frame of frames) {
      const java = javaFrame(frame, event.platform);
      if (java) names.add(java.className);
    }
  }
  return names;
}

/** Of the classes whose methods were inlined into those of the event. */
async function sourceFilesOf(
  event: Event,
  classes: ReadonlyMap<string, MappedClass>,
  mapping: JavaMapping,
): Promise<Map<string, string>> {
  const holders = new Set<string>();
  for (const { frames } of stacktracesOf(event)) {
    for (const frame of frames) {
      const mapped = classes.get(frame.module ?? '');
      for (const { holder } of mapped?.methods.get(frame.function ?? '') ?? []) if (holder !== '') holders.add(holder);
    }
  }
  const found = new Map<string, string>();
  await Promise.all(
    [...holders].slice(0, maxHolders).map(async (name) => found.set(name, await mapping.sourceFile(name))),
  );
  return found;
}

/** The frames of one stack, oldest first. */
function retraceFrames(
  event: Event,
  frames: Frame[],
  thrown: readonly string[],
  context: RetraceContext,
  id: string,
): number {
  const written: Frame[] = [];
  let outlineLine: number | undefined;
  let changed = 0;
  for (const [index, frame] of frames.toReversed().entries()) {
    const java = javaFrame(frame, event.platform);
    const result = java && retrace(java, context, { outlineLine, thrown: index === 0 ? thrown : [] });
    outlineLine = result?.outlineLine;
    if (!java || !result?.alternatives) {
      written.push(frame);
      continue;
    }
    changed += 1;
    const [first, ...others] = result.alternatives;
    for (const one of first ?? []) written.push(placed(event, frame, java, one, others, id));
  }
  const kept = written.slice(0, countLimits.frames);
  frames.splice(0, frames.length, ...kept.toReversed());
  return changed;
}

function placed(
  event: Event,
  frame: Frame,
  java: JavaFrame,
  { className, method, line, file }: JavaFrame,
  others: readonly Written[],
  id: string,
): Frame {
  const isRenamed = className !== java.className;
  const alternatives = others.slice(0, maxAlternatives).map((one) => one.map(spelled).join(', '));
  const { unresolved: _unresolved, orig_in_app: word, ...data } = frame.data ?? {};
  const said = typeof word === 'number' ? (word === -1 ? undefined : word === 1) : frame.in_app;
  return {
    ...frame,
    module: cutText(className, textLimits.path),
    function: cutText(method, textLimits.function),
    filename: cutText(file, textLimits.path),
    abs_path: cutText(file, textLimits.absPath),
    lineno: line > 0 ? line : undefined,
    // What the SDK said was of the obfuscated name.
    in_app: isRenamed && said !== true ? ownOf(event, className) : said,
    data: {
      ...data,
      sourcemap: `${id}.txt`,
      raw: { filename: frame.filename, lineno: frame.lineno, function: `${java.className}.${java.method}` },
      ...(alternatives.length > 0 && { alternatives }),
    },
  };
}

const spelled = ({ className, method, file, line }: JavaFrame): string =>
  `${className}.${method}(${file}${line > 0 ? `:${line}` : ''})`;

/** A release is called by the package of its application, `com.example.shop@1.0`. */
function ownOf({ release = '' }: Event, className: string): true | undefined {
  const at = release.indexOf('@');
  const name = at < 0 ? '' : release.slice(0, at);
  return name.includes('.') && className.startsWith(`${name}.`) ? true : undefined;
}
