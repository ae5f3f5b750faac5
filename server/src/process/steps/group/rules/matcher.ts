/** Matchers of both kinds of rules: `key:glob`, `!key:glob`, `key:"a glob"`, and the neighbours `[ … ] |` and `| [ … ]`. */
import { ruleProblems } from '../../../../base/texts/rules.ts';
import { compileGlob, compilePathGlob, type PathText } from './glob.ts';
import type { Line } from './line.ts';

/** Which frame is asked, seen from the one that the rule is tried on. */
export type Neighbour = 'self' | 'caller' | 'callee';

export interface Matcher<Key extends string> {
  readonly key: Key | `tags.${string}`;
  readonly negated: boolean;
  readonly neighbour: Neighbour;
  /** Of a text; false for one that is not there. The negation is not in it. */
  readonly test: (value: string | undefined) => boolean;
  /** The same for keys whose values are paths. */
  readonly testPath: (path: PathText | undefined) => boolean;
  /** For keys that are on or off. */
  readonly flag: boolean | undefined;
}

/** Whether a frame's flag, off where it is not there, is what a matcher asks for. */
export function isFlag(value: boolean | undefined, asked: boolean | undefined): boolean {
  return asked === (value ?? false);
}

/** How the value of a key is compared. */
export type Comparison = 'glob' | 'anyCase' | 'path' | 'list' | 'flag';

export interface MatcherKeys<Key extends string> {
  /** By every name that may be written. */
  readonly names: Readonly<Record<string, Key>>;
  readonly comparisons: Readonly<Record<Key, Comparison>>;
  /** Keys of single frames: only these have neighbours. */
  readonly ofFrames: ReadonlySet<string>;
  readonly tags: boolean;
}

const flags: Readonly<Record<string, boolean>> = { yes: true, true: true, 1: true, no: false, false: false, 0: false };
const maxPattern = 1_000;

/** All matchers of a line; at least one that asks the frame or the event itself. */
export function readMatchers<Key extends string>(line: Line, keys: MatcherKeys<Key>): Matcher<Key>[] {
  const matchers: Matcher<Key>[] = [];
  line.skipSpaces();
  if (line.take('[')) {
    matchers.push(readNeighbour(line, keys, 'caller'));
    line.skipSpaces();
    line.expect('|', ruleProblems.callerEnd);
  }
  const before = matchers.length;
  for (line.skipSpaces(); startsMatcher(line); line.skipSpaces()) matchers.push(readMatcher(line, keys, 'self'));
  if (matchers.length === before) line.fail(ruleProblems.matcher);
  if (line.take('|')) {
    line.skipSpaces();
    line.expect('[', ruleProblems.calleeStart);
    matchers.push(readNeighbour(line, keys, 'callee'));
    line.skipSpaces();
  }
  return matchers;
}

const matcherStart = /!?(?:[a-zA-Z0-9_.-]+|"[^"]*")\s*:/y;

function startsMatcher(line: Line): boolean {
  matcherStart.lastIndex = line.at;
  return matcherStart.test(line.text);
}

function readNeighbour<Key extends string>(line: Line, keys: MatcherKeys<Key>, neighbour: Neighbour): Matcher<Key> {
  line.skipSpaces();
  const start = line.at;
  if (!startsMatcher(line)) line.fail(ruleProblems.frameMatcher);
  const matcher = readMatcher(line, keys, neighbour);
  if (!keys.ofFrames.has(matcher.key)) line.fail(ruleProblems.notOfFrame(matcher.key), start, line.at);
  line.skipSpaces();
  line.expect(']', ruleProblems.neighbourEnd);
  return matcher;
}

function readMatcher<Key extends string>(line: Line, keys: MatcherKeys<Key>, neighbour: Neighbour): Matcher<Key> {
  const negated = line.take('!');
  const start = line.at;
  const name = line.takeName();
  if (name === undefined) line.fail(ruleProblems.matcherName);
  const key = keyOf(name, keys);
  if (key === undefined) line.fail(unknown(name, keys), start, line.at);
  line.expect(':', ruleProblems.colon);
  const from = line.at;
  const pattern = line.text[line.at] === '"' ? line.takeQuoted() : line.takeWord();
  if (pattern === '' && line.at === from) line.fail(ruleProblems.value, start, from);
  if (pattern.length > maxPattern) line.fail(ruleProblems.tooLong(maxPattern), from, line.at);
  const comparison: Comparison = key.startsWith('tags.') ? 'glob' : keys.comparisons[key as Key];
  const place = { key, negated, neighbour, flag: undefined, test: never, testPath: never };
  if (comparison === 'flag') {
    const flag = Object.hasOwn(flags, pattern) ? flags[pattern] : undefined;
    if (flag === undefined) line.fail(ruleProblems.flag, from, line.at);
    return { ...place, flag };
  }
  if (comparison === 'list') {
    const values = new Set(pattern.split(','));
    const all = values.has('all');
    return { ...place, test: (value) => value !== undefined && (all || values.has(value)) };
  }
  if (comparison === 'path') {
    const glob = compilePathGlob(pattern) ?? tooMany(line, from);
    return { ...place, testPath: (path) => path !== undefined && glob.matches(path) };
  }
  const glob = compileGlob(pattern, comparison === 'anyCase') ?? tooMany(line, from);
  return { ...place, test: (value) => value !== undefined && glob.matches(value) };
}

const never = (): boolean => false;

function tooMany(line: Line, from: number): never {
  return line.fail(ruleProblems.tooManyAlternatives, from, line.at);
}

function keyOf<Key extends string>(name: string, keys: MatcherKeys<Key>): Key | `tags.${string}` | undefined {
  if (keys.tags && name.startsWith('tags.') && name.length > 'tags.'.length) return `tags.${name.slice(5)}`;
  return Object.hasOwn(keys.names, name) ? keys.names[name] : undefined;
}

function unknown<Key extends string>(name: string, { names, tags }: MatcherKeys<Key>): string {
  const known = [...Object.keys(names).filter((one) => !one.includes('.')), ...(tags ? ['tags.NAME'] : [])];
  return ruleProblems.unknownMatcher(name, known);
}
