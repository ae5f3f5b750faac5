/**
 * Regular expressions that members write. They run in RE2's way, in time that follows the length of the text whatever
 * the expression: what would take another way (looking around, references back) is refused when the rules are read.
 */
import { patternProblems as said } from '../../../../base/texts/scrub-rules.ts';
import type { RE2JS } from 're2js';
import type { Range } from './chunks.ts';

type Engine = typeof RE2JS;

let engine: Engine | undefined;

/** Before rules that have patterns are read; takes memory only where there are some. */
export async function loadPatterns(): Promise<void> {
  engine ??= (await import('re2js')).RE2JS;
}

export interface Pattern {
  readonly groups: number;
  has(text: string): boolean;
  /** What the groups take of `text`, in order, without what is empty; 0 is all of a match. */
  find(text: string, groups: readonly number[]): Range[];
}

export interface PatternFault {
  /** Characters of the expression. */
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

const maxLength = 1_000;
/** Steps of the compiled expression; a text takes at most so many times its length. */
const maxProgram = 2_000;

/** Never throws for what is written. */
export function readPattern(text: string): { readonly pattern: Pattern } | { readonly fault: PatternFault } {
  if (!engine) throw new Error('loadPatterns comes before the first rules are read');
  const whole = { start: 0, end: text.length };
  if (text === '') return { fault: { ...whole, message: said.empty } };
  if (text.length > maxLength) return { fault: { ...whole, message: said.tooLong(maxLength) } };
  try {
    const compiled = engine.compile(text);
    if (compiled.programSize() > maxProgram) return { fault: { ...whole, message: said.tooLarge } };
    return { pattern: patternOf(compiled) };
  } catch (error) {
    return { fault: faultOf(error, text) };
  }
}

function patternOf(compiled: Compiled): Pattern {
  return {
    groups: compiled.groupCount(),
    has: (text) => compiled.matcher(text).find(),
    find(text, groups) {
      const found: Range[] = [];
      for (const matcher of matches(compiled, text)) {
        for (const group of groups) {
          const [start, end] = [matcher.start(group), matcher.end(group)];
          const last = found.at(-1);
          // A group within one that is taken goes with it.
          if (start >= 0 && end > start && (!last || start >= last.end)) found.push({ start, end });
        }
      }
      return found;
    },
  };
}

type Compiled = ReturnType<Engine['compile']>;
type Matcher = ReturnType<Compiled['matcher']>;

/**
 * Each match takes linear time, and all of them may take its square, where each looks to the end of the text. So the
 * first ones may look as far as they like, until they may have seen so many characters; then each sees a stretch.
 */
const seenAtLength = 2_000_000;
const stretch = 256;
/** What is found in any text, wherever it lies: stretches overlap by so much. */
const surelyFound = stretch / 2;

function* matches(compiled: Compiled, text: string): Generator<Matcher, void, void> {
  const whole = compiled.matcher(text);
  let at = 0;
  for (let seen = 0; seen < seenAtLength; seen += text.length - at) {
    if (!whole.find()) return;
    yield whole;
    at = whole.end();
  }
  while (at < text.length) {
    let length = stretch;
    let matcher = within(compiled, text, at, length);
    // One that ends with the stretch may go on behind it.
    while (matcher && at + length < text.length && matcher.end() === at + length) {
      length *= 2;
      const longer = within(compiled, text, at, length);
      if (!longer || longer.end() <= matcher.end()) break;
      matcher = longer;
    }
    if (matcher) yield matcher;
    at = matcher ? Math.max(matcher.end(), at + 1) : at + length - surelyFound;
  }
}

function within(compiled: Compiled, text: string, at: number, length: number): Matcher | undefined {
  const matcher = compiled.matcher(text.slice(0, at + length));
  return matcher.find(at) ? matcher : undefined;
}

function faultOf(error: unknown, text: string): PatternFault {
  const { error: reason, input } = error as { error?: unknown; input?: unknown };
  const part = typeof input === 'string' && input !== '' ? input : text;
  const at = Math.max(0, text.indexOf(part));
  const place = { start: at, end: Math.min(text.length, at + part.length) };
  if (/^\(\?<?[=!]/.test(part) || /\(\?<?[=!]/.test(text.slice(at, at + 4))) return { ...place, message: said.around };
  if (/^\\\d/.test(part)) return { ...place, message: said.reference };
  if (reason === 'invalid repeat count') return { ...place, message: said.repeat };
  return { ...place, message: said.invalid(typeof reason === 'string' ? reason : 'invalid expression') };
}
