/** Frames as they were written, from obfuscated ones, by the rules of R8's retrace. */
import type { MappedClass, MappedRange } from './read.ts';

/** A frame of Java as far as a mapping knows of it. */
export interface JavaFrame {
  readonly className: string;
  readonly method: string;
  /** 0 for none. */
  readonly line: number;
  /** '' for none. */
  readonly file: string;
}

/** Calls inlined into each other, the innermost first. */
export type Written = readonly JavaFrame[];

export interface Retraced {
  /** The most likely first. Empty where nothing that was written is left of the frame; undefined where the mapping has no such class. */
  readonly alternatives: readonly Written[] | undefined;
  /** The line of an outline, that its caller has in place of its own. */
  readonly outlineLine: number | undefined;
}

export interface RetraceContext {
  readonly classOf: (obfuscated: string) => MappedClass | undefined;
  /** By original name; '' where the mapping does not say. */
  readonly sourceFileOf: (original: string) => string;
}

export interface RetraceOptions {
  /** Of the outline that the frame has called. */
  readonly outlineLine: number | undefined;
  /** Descriptors of the exception, obfuscated and original, where the frame is the one that threw it. */
  readonly thrown: readonly string[];
}

/** A catch-all is no list of alternatives that anybody reads. */
const maxAlternatives = 10;

/** Of one class, all of the ranges that stand for one method, in groups that were inlined into each other. */
type Group = readonly MappedRange[];

export function retrace(frame: JavaFrame, context: RetraceContext, { outlineLine, thrown }: RetraceOptions): Retraced {
  const mapped = context.classOf(frame.className);
  if (!mapped) return { alternatives: undefined, outlineLine: undefined };
  const ranges = mapped.methods.get(frame.method);
  if (!ranges) return { alternatives: [[ofClass(frame, mapped, context)]], outlineLine: undefined };
  const methods = methodsOf(ranges);
  if (methods.every((groups) => groups.at(-1)?.at(-1)?.isOutline === true)) {
    return { alternatives: [], outlineLine: frame.line };
  }
  const line = outlineLine === undefined ? frame.line : callSite(methods, frame.line, outlineLine);
  const found = line > 0 ? atLine(methods, line) : withoutLine(methods);
  if (found.length === 0) return { alternatives: [[ofClass(frame, mapped, context)]], outlineLine: undefined };
  const alternatives = found.flatMap((group) => writtenOf(group, frame, { line, mapped, context, thrown }));
  return { alternatives: different(alternatives).slice(0, maxAlternatives), outlineLine: undefined };
}

/** Methods that got the same name, each with its groups. */
function methodsOf(ranges: readonly MappedRange[]): Group[][] {
  const methods = new Map<string, Group[]>();
  for (let start = 0; start < ranges.length;) {
    const first = ranges[start];
    let end = start + 1;
    while (end < ranges.length && isInlined(first, ranges[end])) end++;
    const group = ranges.slice(start, end);
    const outer = group.at(-1);
    const key = outer ? `${outer.holder} ${outer.signature}` : '';
    const known = methods.get(key);
    if (known) known.push(group);
    else methods.set(key, [group]);
    start = end;
  }
  return [...methods.values()];
}

const isInlined = (one: MappedRange | undefined, other: MappedRange | undefined): boolean =>
  one?.from !== undefined && one.from === other?.from && one.to === other.to;

const holds = (group: Group, line: number): boolean => {
  const [first] = group;
  return first?.from !== undefined && first.to > 0 && line >= first.from && line <= first.to;
};

/** Where no range has the line: those that are for all lines. */
function atLine(methods: readonly Group[][], line: number): Group[] {
  const exact = methods
    .map((groups) => groups.find((group) => holds(group, line)))
    .filter((group) => group !== undefined);
  return exact.length > 0 ? exact : methods.flatMap((groups) => groups.filter(([first]) => first?.from === undefined));
}

/** Each method once; what is for all lines says more than the first of many ranges. */
function withoutLine(methods: readonly Group[][]): Group[] {
  return methods.flatMap((groups) => {
    const whole = groups.find(([first]) => first?.from === undefined || first.from === 0);
    if (whole) return [whole.map((range) => ({ ...range, line: only(range) }))];
    const outer = groups[0]?.at(-1);
    return outer ? [[{ ...outer, line: groups.length === 1 ? only(outer) : 0 }]] : [];
  });
}

const only = ({ line, lineEnd }: MappedRange): number => (line !== undefined && line === lineEnd ? line : 0);

/** Where the caller was when it called the outline; its own line where nobody says. */
function callSite(methods: readonly Group[][], line: number, outlineLine: number): number {
  for (const group of methods.flat()) {
    if (line > 0 && !holds(group, line)) continue;
    for (const { callSites } of group) {
      const found = callSites?.get(outlineLine);
      if (found !== undefined) return found;
    }
  }
  return line;
}

interface Writing {
  readonly line: number;
  readonly mapped: MappedClass;
  readonly context: RetraceContext;
  readonly thrown: readonly string[];
}

function writtenOf(group: Group, frame: JavaFrame, { line, mapped, context, thrown }: Writing): Written[] {
  const rewrites = group.flatMap((range) => range.rewrites);
  const removed = rewrites
    .filter(({ throws }) => throws.every((one) => thrown.includes(one)))
    .reduce((sum, { remove }) => sum + remove, 0);
  // What the compiler made around what was written; inside of it, it was written.
  const kept = group.slice(removed, group.at(-1)?.isSynthesized ? -1 : undefined);
  const place = ({ holder, method }: MappedRange, at: number): JavaFrame => {
    const className = holder || mapped.name;
    const known = holder === '' || holder === mapped.name ? mapped.sourceFile : context.sourceFileOf(holder);
    return { className, method, line: at, file: known || inferredFile(className, frame.file) };
  };
  const [single, second] = kept;
  // One line stands for several where the compiler kept none.
  if (single && !second && single.from === undefined && line > 0 && single.line !== undefined) {
    const last = Math.min(single.lineEnd, single.line + maxAlternatives - 1);
    const places: Written[] = [];
    for (let at = single.line; at <= last; at++) places.push([place(single, at)]);
    return places;
  }
  return [kept.map((range) => place(range, originalLine(range, line)))];
}

function originalLine({ from, line, lineEnd }: MappedRange, at: number): number {
  if (line === undefined) return at;
  return line === lineEnd || from === undefined || at === 0 ? line : Math.min(lineEnd, line + at - from);
}

/** Nothing is known of the method, or of that line of it. */
function ofClass(frame: JavaFrame, mapped: MappedClass, { sourceFileOf }: RetraceContext): JavaFrame {
  const known = mapped.sourceFile || sourceFileOf(mapped.name);
  return { ...frame, className: mapped.name, file: known || inferredFile(mapped.name, frame.file) };
}

/** `com.example.MainKt` and `com.example.Cart$Item` are in `Main.kt` and `Cart.java`. */
function inferredFile(className: string, file: string): string {
  const simple = className.slice(className.lastIndexOf('.') + 1);
  const dollar = simple.indexOf('$', 1);
  const outer = dollar < 0 ? simple : simple.slice(0, dollar);
  const dot = file.lastIndexOf('.');
  const extension = dot < 0 ? '' : file.slice(dot + 1);
  if (outer.length > 2 && outer.endsWith('Kt') && (extension === '' || extension === 'kt')) {
    return `${outer.slice(0, -2)}.kt`;
  }
  return `${outer}.${extension === 'kt' ? 'kt' : 'java'}`;
}

/** The descriptor of a class, `Lcom/example/Cart;`. */
export const descriptorOf = (className: string): string => `L${className.replaceAll('.', '/')};`;

function different(alternatives: readonly Written[]): Written[] {
  const seen = new Map<string, Written>();
  for (const written of alternatives) {
    const key = JSON.stringify(written);
    if (!seen.has(key)) seen.set(key, written);
  }
  return [...seen.values()];
}
