/** Fingerprint rules of a project: `matcher … -> entry … title="…"`, one a line, the first that matches wins. */
import { ruleProblems } from '../../../../base/texts/rules.ts';
import type { Line } from './line.ts';
import { type Matcher, type MatcherKeys, readMatchers } from './matcher.ts';
import type { ParsedRules } from './problem.ts';
import { readRules, type RuleSource } from './read-rules.ts';

export type FingerprintKey =
  | 'type'
  | 'value'
  | 'message'
  | 'logger'
  | 'level'
  | 'module'
  | 'path'
  | 'package'
  | 'function'
  | 'app'
  | 'family'
  | 'sdk'
  | 'release';

export interface FingerprintRule extends RuleSource {
  readonly matchers: readonly Matcher<FingerprintKey>[];
  /** Those of them that one exception must match. */
  readonly ofExceptions: readonly Matcher<FingerprintKey>[];
  /** Those of them that one frame must match. */
  readonly ofFrames: readonly Matcher<FingerprintKey>[];
  /** The others. */
  readonly ofEvent: readonly Matcher<FingerprintKey>[];
  readonly fingerprint: readonly string[];
  /** What the issue is called, with variables; undefined for the event's own title. */
  readonly title: string | undefined;
}

const keys: MatcherKeys<FingerprintKey> = {
  names: {
    type: 'type',
    'error.type': 'type',
    value: 'value',
    'error.value': 'value',
    message: 'message',
    logger: 'logger',
    level: 'level',
    module: 'module',
    'stack.module': 'module',
    path: 'path',
    'stack.abs_path': 'path',
    package: 'package',
    'stack.package': 'package',
    function: 'function',
    'stack.function': 'function',
    app: 'app',
    family: 'family',
    sdk: 'sdk',
    release: 'release',
  },
  comparisons: {
    type: 'glob',
    value: 'anyCase',
    message: 'anyCase',
    logger: 'glob',
    level: 'anyCase',
    module: 'glob',
    path: 'path',
    package: 'path',
    function: 'glob',
    app: 'flag',
    family: 'list',
    sdk: 'list',
    release: 'path',
  },
  ofFrames: new Set<FingerprintKey>(['module', 'path', 'package', 'function', 'app']),
  tags: true,
};

/** Never throws. */
export function parseFingerprintRules(text: string): ParsedRules<FingerprintRule> {
  return readRules(text, readRule);
}

const maxEntries = 50;
const maxEntry = 1_024;

function readRule(line: Line, source: RuleSource): FingerprintRule {
  const matchers = readMatchers(line, keys);
  line.expect('->', ruleProblems.arrow);
  const fingerprint: string[] = [];
  let title: string | undefined;
  for (line.skipSpaces(); !line.ended && !isComment(line, fingerprint); skipComma(line)) {
    const start = line.at;
    const attribute = line.match(attributeName)?.[1];
    if (attribute !== undefined) {
      if (attribute !== 'title') line.fail(ruleProblems.unknownAttribute(attribute), start, line.at - 1);
      title = line.takeQuoted();
      continue;
    }
    const entry = readEntry(line);
    if (entry.length > maxEntry) line.fail(ruleProblems.tooLong(maxEntry), start, line.at);
    fingerprint.push(entry);
    if (fingerprint.length > maxEntries) line.fail(ruleProblems.tooManyEntries(maxEntries), start, line.at);
  }
  if (fingerprint.length === 0 && title === undefined) line.fail(ruleProblems.fingerprint);
  const isOfException = ({ key }: Matcher<FingerprintKey>): boolean => key === 'type' || key === 'value';
  return {
    ...source,
    matchers,
    ofExceptions: matchers.filter(isOfException),
    ofFrames: matchers.filter(({ key }) => keys.ofFrames.has(key)),
    ofEvent: matchers.filter((matcher) => !isOfException(matcher) && !keys.ofFrames.has(matcher.key)),
    fingerprint,
    title,
  };
}

/** A title alone changes what the issue is called and leaves the grouping as it is. */
const attributeName = /([a-zA-Z0-9_.-]+)=(?=")/y;
const variable = /\{\{\s*[^\s{}]+\s*\}\}/y;
const word = /[^\s{,]+/y;
const isDefault = /^\{\{\s*default\s*\}\}$/;

function readEntry(line: Line): string {
  if (line.text[line.at] === '"') return normal(line.takeQuoted());
  const found = line.match(variable)?.[0] ?? line.match(word)?.[0];
  if (found === undefined) line.fail(ruleProblems.entry);
  return normal(found);
}

const normal = (entry: string): string => (isDefault.test(entry) ? '{{ default }}' : entry);

function isComment(line: Line, entries: readonly string[]): boolean {
  return entries.length > 0 && /^#(?:\s|$)/.test(line.rest.slice(0, 2));
}

function skipComma(line: Line): void {
  line.skipSpaces();
  if (line.take(',')) line.skipSpaces();
}
