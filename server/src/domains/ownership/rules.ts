/** Rules of ownership in Sentry's syntax: `matcher:pattern owner …`, one a line. The last one that matches decides. */
import { compileFileGlob, compileGlob, type Glob } from '../../process/steps/group/rules/glob.ts';
import type { Line } from '../../process/steps/group/rules/line.ts';
import type { ParsedRules } from '../../process/steps/group/rules/problem.ts';
import { readRules, type RuleSource } from '../../process/steps/group/rules/read-rules.ts';
import { ownershipProblems, ruleProblems } from '../../base/texts/rules.ts';
import { fileGlobsOf } from './file-globs.ts';

export type MatcherKind = 'path' | 'module' | 'url' | 'tag' | 'codeowners';

/** An owner as written, and where. */
export interface NamedOwner {
  /** An address, or `#` and the slug of a team. */
  readonly name: string;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly endColumn: number;
}

export interface OwnershipRule extends RuleSource {
  readonly kind: MatcherKind;
  /** Of a tag. */
  readonly tag: string;
  /** Of a path both slashes are `/`. */
  readonly test: (value: string) => boolean;
  readonly owners: readonly NamedOwner[];
}

const kinds: Readonly<Record<string, MatcherKind>> = {
  path: 'path',
  module: 'module',
  url: 'url',
  codeowners: 'codeowners',
};

const maxPattern = 1_000;
const maxOwners = 50;

/** Never throws. */
export function parseOwnershipRules(text: string): ParsedRules<OwnershipRule> {
  return readRules(text, readRule);
}

const matcherName = /([a-zA-Z][\w.-]*):(?!\/\/)/y;

function readRule(line: Line, source: RuleSource): OwnershipRule {
  line.skipSpaces();
  const start = line.at;
  const named = line.match(tagName)?.[1] ?? line.match(matcherName)?.[1];
  const { kind, tag } = readKind(line, named, start);
  const from = line.at;
  const pattern = line.text[line.at] === '"' ? line.takeQuoted() : line.takeWord();
  if (pattern === '') line.fail(ruleProblems.value, start, from);
  if (pattern.length > maxPattern) line.fail(ruleProblems.tooLong(maxPattern), from, line.at);
  const test = testOf(kind, pattern) ?? line.fail(ruleProblems.tooManyAlternatives, from, line.at);
  const owners: NamedOwner[] = [];
  for (line.skipSpaces(); !line.ended; line.skipSpaces()) {
    const column = line.at + 1;
    const name = line.takeWord();
    // What follows a # that stands alone is a remark.
    if (name === '#') break;
    if (!isOwner(name)) line.fail(ownershipProblems.notOwner(name), column - 1);
    owners.push({ name, column, endColumn: line.at + 1 });
    if (owners.length > maxOwners) line.fail(ownershipProblems.tooManyOwners(maxOwners), column - 1, line.at);
  }
  if (owners.length === 0) line.fail(ownershipProblems.noOwner);
  return { ...source, kind, tag, test, owners };
}

const tagName = /(tags\.(?:"[^"\s]+"|[^\s:"]+)):/y;

/** A pattern without a matcher before it is a path. */
function readKind(line: Line, named: string | undefined, start: number): { kind: MatcherKind; tag: string } {
  if (named === undefined) return { kind: 'path', tag: '' };
  if (named.startsWith('tags.')) return { kind: 'tag', tag: named.slice('tags.'.length).replaceAll('"', '') };
  const kind = Object.hasOwn(kinds, named) ? kinds[named] : undefined;
  if (!kind) {
    line.fail(
      ruleProblems.unknownMatcher(named, ['path', 'module', 'url', 'codeowners', 'tags.NAME']),
      start,
      line.at - 1,
    );
  }
  return { kind, tag: '' };
}

const isOwner = (name: string): boolean => /^#[\w-]+$/.test(name) || /^[^\s@#]+@[^\s@]+$/.test(name);

function testOf(kind: MatcherKind, pattern: string): OwnershipRule['test'] | undefined {
  if (kind === 'codeowners') return anyOf(fileGlobsOf(pattern).map(compileFileGlob));
  if (kind === 'path') {
    const glob = compileGlob(pattern.replaceAll('\\', '/'), true);
    return glob && ((value) => glob.matches(value.replaceAll('\\', '/')));
  }
  const glob = compileGlob(pattern, kind !== 'module');
  return glob && ((value) => glob.matches(value));
}

const anyOf =
  (globs: readonly Glob[]) =>
  (value: string): boolean =>
    globs.some((glob) => glob.matches(value));
