/**
 * Mapping files of ProGuard and R8: which class, method and line an obfuscated one was. A class is read when one of its
 * frames comes, from the lines that are about it.
 */

/** A line of the mapping about a method. Lines that follow each other for the same range are calls inlined into each other, the innermost first. */
export interface MappedRange {
  /** Lines of the obfuscated method; undefined where it is for all of them. */
  readonly from: number | undefined;
  readonly to: number;
  /** Lines of the original; undefined where they are not known. */
  readonly line: number | undefined;
  readonly lineEnd: number;
  /** The class that it was written in; '' for that of the mapping. */
  readonly holder: string;
  readonly method: string;
  /** Of its types, to tell methods of one name apart. */
  readonly signature: string;
  /** Made by the compiler: nobody wrote it. */
  isSynthesized: boolean;
  /** Shared by callers that have nothing but a few instructions in common: not a call that anybody wrote. */
  isOutline: boolean;
  /** Lines of this method by lines of an outline that it calls. */
  callSites: ReadonlyMap<number, number> | undefined;
  rewrites: readonly Rewrite[];
}

/** Inner frames that are left out where the exceptions are those that are named. */
export interface Rewrite {
  /** Descriptors, `Ljava/lang/NullPointerException;`. */
  readonly throws: readonly string[];
  readonly remove: number;
}

export interface MappedClass {
  readonly name: string;
  /** '' where the mapping does not say. */
  readonly sourceFile: string;
  /** By obfuscated name, in the order of the mapping. */
  readonly methods: ReadonlyMap<string, readonly MappedRange[]>;
}

/** Beyond that a line is none that a compiler writes. Characters. */
const longestLine = 64 * 1024;
const methodLine =
  /^\s{1,100}(?:(\d{1,9}):(\d{1,9}):)?([^\s(]+) ([^\s(]+)\(([^)\s]*)\)(?::(\d{1,9})(?::(\d{1,9}))?)? -> (\S+)\s*$/;
const synthesizedId = 'com.android.tools.r8.synthesized';
const outlineId = 'com.android.tools.r8.outline';
const callSiteId = 'com.android.tools.r8.outlineCallsite';
const rewriteId = 'com.android.tools.r8.rewriteFrame';

/** `original -> obfuscated:`; undefined for any other line. */
export function readClassLine(line: string): { name: string; obfuscated: string } | undefined {
  const arrow = line.indexOf(' -> ');
  if (arrow <= 0 || line.length > longestLine) return undefined;
  const end = line.trimEnd();
  if (!end.endsWith(':') || /^\s|#/.test(end.charAt(0))) return undefined;
  const [name, obfuscated] = [line.slice(0, arrow), end.slice(arrow + 4, -1)];
  return obfuscated === '' || /\s/.test(name) || /\s/.test(obfuscated) ? undefined : { name, obfuscated };
}

/** `lines` begin with the class itself. */
export function readClass(text: string): MappedClass | undefined {
  const methods = new Map<string, MappedRange[]>();
  let name = '';
  let sourceFile = '';
  let last: MappedRange | undefined;
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    const line = end - at > longestLine ? '' : text.slice(at, end);
    at = end + 1;
    if (name === '') {
      const read = readClassLine(line);
      if (!read) return undefined;
      name = read.name;
      continue;
    }
    const comment = commentOf(line);
    if (comment) {
      if (last) note(last, comment);
      else if (comment['id'] === 'sourceFile') sourceFile = textOf(comment['fileName']);
      continue;
    }
    const read = readMethodLine(line);
    if (!read) continue;
    last = read.range;
    const known = methods.get(read.obfuscated);
    if (known) known.push(last);
    else methods.set(read.obfuscated, [last]);
  }
  return { name, sourceFile, methods };
}

function readMethodLine(line: string): { obfuscated: string; range: MappedRange } | undefined {
  const match = methodLine.exec(line);
  if (!match) return undefined;
  const [, from, to, type = '', full = '', args = '', first, last, obfuscated = ''] = match;
  const dot = full.lastIndexOf('.');
  const method = full.slice(dot + 1);
  const [low, high] = inOrder(number(from), number(to));
  const [line1, line2] = inOrder(number(first), number(last) ?? number(first));
  return {
    obfuscated,
    range: {
      from: low,
      to: high ?? 0,
      line: line1,
      lineEnd: line2 ?? 0,
      holder: dot < 0 ? '' : full.slice(0, dot),
      method,
      signature: `${type} ${method}(${args})`,
      isSynthesized: false,
      isOutline: false,
      callSites: undefined,
      rewrites: [],
    },
  };
}

const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

const inOrder = (a: number | undefined, b: number | undefined): [number | undefined, number | undefined] =>
  a !== undefined && b !== undefined && a > b ? [b, a] : [a, b];

type Comment = Readonly<Record<string, unknown>>;

/** What R8 says of the line before, as JSON behind `#`. */
function commentOf(line: string): Comment | undefined {
  const start = line.trimStart();
  if (!start.startsWith('#')) return undefined;
  const text = start.slice(1).trim();
  if (!text.startsWith('{')) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Comment) : {};
  } catch {
    return {};
  }
}

function note(range: MappedRange, comment: Comment): void {
  switch (comment['id']) {
    case synthesizedId:
      range.isSynthesized = true;
      break;
    case outlineId:
      range.isOutline = true;
      break;
    case callSiteId:
      range.callSites = callSitesOf(comment['positions']);
      break;
    case rewriteId: {
      const rewrite = rewriteOf(comment);
      if (rewrite) range.rewrites = [...range.rewrites, rewrite];
      break;
    }
    default:
  }
}

function callSitesOf(positions: unknown): ReadonlyMap<number, number> {
  const sites = new Map<number, number>();
  if (typeof positions !== 'object' || positions === null) return sites;
  for (const [line, site] of Object.entries(positions)) {
    if (/^\d{1,9}$/.test(line) && Number.isSafeInteger(site)) sites.set(Number(line), Number(site));
  }
  return sites;
}

/** Undefined where it has a condition or an action that is not known: then nobody can say what is meant. */
function rewriteOf({ conditions, actions }: Comment): Rewrite | undefined {
  const throws = listOf(conditions).map((one) => /^throws\(([^)\s]{1,1000})\)$/.exec(one)?.[1]);
  const removes = listOf(actions).map((one) => /^removeInnerFrames\((\d{1,4})\)$/.exec(one)?.[1]);
  if (throws.length === 0 || throws.includes(undefined) || removes.length === 0 || removes.includes(undefined)) {
    return undefined;
  }
  return {
    throws: throws.filter((one) => one !== undefined),
    remove: removes.reduce((sum, one) => sum + Number(one), 0),
  };
}

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one.trim() : '')) : [];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
