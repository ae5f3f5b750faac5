/**
 * Globs as rules use them: `*`, `?`, `[a-z]`, `[!a-z]`, `{one,other}`, `\` before a character that is meant as it is.
 *
 * No regular expression is made of what people write. A glob becomes a row of steps, and a text walks through all of
 * them at once, so that the time is at most characters times steps, however many stars there are.
 */

export interface Glob {
  matches(text: string): boolean;
}

/** A path made ready for many globs. */
export interface PathText {
  /** With `/` for both slashes, in small letters. */
  readonly plain: string;
  /** The same, beginning with a slash. */
  readonly rooted: string;
}

export interface PathGlob {
  /** Of a path without a root, the rooted one may match too. */
  matches(path: PathText): boolean;
}

export function toPathText(path: string): PathText {
  const plain = (path.includes('\\') ? path.replaceAll('\\', '/') : path).toLowerCase();
  return { plain, rooted: plain.startsWith('/') ? plain : `/${plain}` };
}

type Step =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' | 'oneInFolder' | 'any' | 'anyInFolder' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] }
  /** The next `length` steps may be left out. */
  | { readonly kind: 'optional'; readonly length: number };

const maxAlternatives = 64;

/** `*` and `?` stand for any character. Undefined for one with too many alternatives. */
export function compileGlob(pattern: string, ignoreCase = false): Glob | undefined {
  const patterns = alternatives(ignoreCase ? pattern.toLowerCase() : pattern);
  const test = patterns && anyOf(patterns.map((one) => testOf(readSteps(one, false))));
  if (!test) return undefined;
  return { matches: ignoreCase ? (text) => test(text.toLowerCase()) : test };
}

/** Characters of all that its braces make of it; undefined for one with too many alternatives. */
export const globLength = (pattern: string): number | undefined =>
  alternatives(pattern)?.reduce((sum, one) => sum + one.length, 0);

/** `*` and `?` stop at a slash, `**` does not; both slashes are one, and capitals do not matter. */
export function compilePathGlob(pattern: string): PathGlob | undefined {
  const patterns = alternatives(pattern.replaceAll('\\', '/').toLowerCase());
  const test = patterns && anyOf(patterns.map((one) => testOf(readSteps(one, true))));
  if (!test) return undefined;
  return { matches: ({ plain, rooted }) => test(rooted) || (plain !== rooted && test(plain)) };
}

/**
 * As Git names files: `*` and `?` stop at a slash, `**` does not, `\` keeps a character. Capitals matter; braces and
 * brackets stand for themselves.
 */
export function compileFileGlob(pattern: string): Glob {
  return { matches: testOf(readSteps(pattern, true, false)) };
}

type Test = (text: string) => boolean;

function anyOf(tests: readonly Test[]): Test {
  const [only] = tests;
  return only && tests.length === 1 ? only : (text) => tests.some((each) => each(text));
}

/** The pattern once for each way through its braces; braces that are not closed stand for themselves. */
function alternatives(pattern: string): string[] | undefined {
  let done: string[] = [];
  let waiting = [pattern];
  while (waiting.length > 0) {
    const next: string[] = [];
    for (const one of waiting) {
      const braces = firstBraces(one);
      if (!braces) done.push(one);
      else for (const option of braces.options) next.push(one.slice(0, braces.start) + option + one.slice(braces.end));
      if (done.length + next.length > maxAlternatives) return undefined;
    }
    waiting = next;
  }
  return done;
}

/** The first innermost braces, so that what is left has fewer. */
function firstBraces(pattern: string): { start: number; end: number; options: string[] } | undefined {
  let start = -1;
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index];
    if (char === '\\') index++;
    else if (char === '{') start = index;
    else if (char === '}' && start >= 0) {
      return { start, end: index + 1, options: splitOptions(pattern.slice(start + 1, index)) };
    }
  }
  return undefined;
}

function splitOptions(text: string): string[] {
  const options = [''];
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === ',') options.push('');
    else {
      const taken = char === '\\' ? text.slice(index, ++index + 1) : char;
      options[options.length - 1] += taken ?? '';
    }
  }
  return options;
}

function readSteps(pattern: string, path: boolean, classes = true): Step[] {
  const steps: Step[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index] ?? '';
    if (char === '\\' && index + 1 < pattern.length) {
      steps.push({ kind: 'char', char: pattern[++index] ?? '' });
    } else if (char === '*') {
      const double = pattern[index + 1] === '*';
      const atFolder = index === 0 || pattern[index - 1] === '/';
      while (pattern[index + 1] === '*') index++;
      // `**/` between slashes also stands for no folder at all.
      const folders = path && double && atFolder && pattern[index + 1] === '/';
      if (folders) steps.push({ kind: 'optional', length: 2 });
      steps.push({ kind: path && !double ? 'anyInFolder' : 'any' });
      if (folders) {
        steps.push({ kind: 'char', char: '/' });
        index++;
      }
    } else if (char === '?') {
      steps.push({ kind: path ? 'oneInFolder' : 'one' });
    } else {
      const found = classes && char === '[' ? readClass(pattern, index) : undefined;
      steps.push(found?.step ?? { kind: 'char', char });
      if (found) index = found.end;
    }
  }
  return steps;
}

/** Undefined where the bracket is not closed. `end` is its last character. */
function readClass(pattern: string, open: number): { step: Step; end: number } | undefined {
  const negated = pattern[open + 1] === '!' || pattern[open + 1] === '^';
  const first = open + (negated ? 2 : 1);
  const end = pattern.indexOf(']', first + 1);
  if (end < 0) return undefined;
  const ranges: [string, string][] = [];
  for (let index = first; index < end; index++) {
    const from = pattern[index] ?? '';
    const isRange = pattern[index + 1] === '-' && index + 2 < end;
    ranges.push([from, isRange ? (pattern[index + 2] ?? from) : from]);
    if (isRange) index += 2;
  }
  return { step: { kind: 'class', negated, ranges }, end };
}

/** The shapes that nearly all globs have need no walk. */
function testOf(steps: readonly Step[]): Test {
  const isAny = (step: Step | undefined): boolean => step?.kind === 'any';
  const open = isAny(steps[0]);
  const end = isAny(steps.at(-1)) && steps.length > 1;
  const inner = steps.slice(open ? 1 : 0, end ? -1 : undefined);
  const text = inner.map((step) => (step.kind === 'char' ? step.char : '')).join('');
  if (inner.every(({ kind }) => kind === 'char')) {
    if (open && end) return (value) => value.includes(text);
    if (open) return (value) => value.endsWith(text);
    if (end) return (value) => value.startsWith(text);
    return (value) => value === text;
  }
  const needed = longestText(steps);
  return (value) => (needed === '' || value.includes(needed)) && walk(steps, value).matched;
}

/** The longest run of characters that every match has. */
function longestText(steps: readonly Step[]): string {
  let longest = '';
  let run = '';
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index];
    if (step?.kind === 'char') run += step.char;
    else {
      run = '';
      if (step?.kind === 'optional') index += step.length;
    }
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

/** Whether the text gets through all steps, and what it took: at most its characters times the steps. */
export function walk(steps: readonly Step[], text: string): { readonly matched: boolean; readonly work: number } {
  const last = steps.length;
  let now = new Uint8Array(last + 1);
  let next = new Uint8Array(last + 1);
  let work = 0;
  now[0] = 1;
  passEmpty(steps, now);
  for (const char of charsOf(text)) {
    next.fill(0);
    let alive = false;
    for (let at = 0; at < last; at++) {
      if (now[at] === 0) continue;
      work++;
      const step = steps[at];
      if (step === undefined || step.kind === 'optional') continue;
      if (step.kind === 'any' || (step.kind === 'anyInFolder' && char !== '/')) next[at] = 1;
      else if (takes(step, char)) next[at + 1] = 1;
      else continue;
      alive = true;
    }
    if (!alive) return { matched: false, work };
    passEmpty(steps, next);
    [now, next] = [next, now];
  }
  return { matched: now[last] === 1, work };
}

/** UTF-16 units: halves of pairs are characters like others. */
function* charsOf(text: string): Generator<string> {
  for (let index = 0; index < text.length; index++) yield text[index] ?? '';
}

/** Stars and optional steps may also take nothing. */
function passEmpty(steps: readonly Step[], states: Uint8Array): void {
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at];
    if (states[at] === 0 || step === undefined) continue;
    if (step.kind === 'any' || step.kind === 'anyInFolder' || step.kind === 'optional') states[at + 1] = 1;
    if (step.kind === 'optional') states[at + 1 + step.length] = 1;
  }
}

function takes(step: Step, char: string): boolean {
  switch (step.kind) {
    case 'char':
      return step.char === char;
    case 'one':
      return true;
    case 'oneInFolder':
      return char !== '/';
    case 'class':
      return step.ranges.some(([from, to]) => from <= char && char <= to) !== step.negated;
    default:
      return false;
  }
}

/** For tests: what a match of this text costs. */
export function globWork(pattern: string, text: string): number {
  return walk(readSteps(pattern, true), text).work;
}
