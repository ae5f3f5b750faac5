/** Which rules match an event, and whose it is by them. */
import { type CodeownersRule, codeownersOf, type ParsedCodeowners } from './codeowners.ts';
import type { Facts } from './facts.ts';
import { type Owner, ownerKey, type Owners } from './people.ts';
import type { OwnershipRule } from './rules.ts';

/** A CODEOWNERS file, read. */
export interface CodeownersFile {
  readonly id: number;
  /** Whose paths it has; null for any repository. */
  readonly repositoryId: number | null;
  readonly parsed: ParsedCodeowners;
  readonly names: ReadonlyMap<string, string>;
}

/** All that says whose the issues of a project are. */
export interface RuleSet {
  readonly rules: readonly OwnershipRule[];
  readonly codeowners: readonly CodeownersFile[];
}

export interface Match {
  readonly source: 'rule' | 'codeowners';
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly owners: readonly Owner[];
  /** Names that nobody has. */
  readonly unknown: readonly string[];
  /** What of the event it matched. */
  readonly why: string;
}

/**
 * Patterns and paths both come from outside, and some pairs of them take a thousand times as long as others. What is not
 * looked at within the time, far beyond that of thousands of usual rules, does not match.
 */
const longestMs = 300;

/** True once there is no time left. */
export type IsLate = () => boolean;

function lateAfter(ms: number): IsLate {
  const until = performance.now() + ms;
  return () => performance.now() > until;
}

/** Those that match, the one that decides first: rules from the last to the first, then CODEOWNERS from the crash outwards. */
export function matchesOf(
  { rules, codeowners }: RuleSet,
  facts: Facts,
  owners: Owners,
  isLate: IsLate = lateAfter(longestMs),
): Match[] {
  const byRule = rules.toReversed().flatMap((rule) => {
    const why = whyOf(rule, facts, isLate);
    if (why === undefined) return [];
    const found = resolve(
      rule.owners.map(({ name }) => name),
      (name) => owners.named(name),
    );
    return [{ source: 'rule' as const, line: rule.line, text: rule.text, ...found, why }];
  });
  return [...byRule, ...byCodeowners(codeowners, facts, owners, isLate)];
}

/** The first owner of the first match that has one. */
export function decide(matches: readonly Match[]): { readonly match: Match; readonly owner: Owner } | undefined {
  for (const match of matches) {
    const [owner] = match.owners;
    if (owner) return { match, owner };
  }
  return undefined;
}

function whyOf(
  { kind, tag, test: compare }: OwnershipRule,
  { frames, modules, url, tags }: Facts,
  isLate: IsLate,
): string | undefined {
  const test = (value: string): boolean => !isLate() && compare(value);
  switch (kind) {
    case 'path':
      return firstOf(frames, ({ spellings }) => spellings.find(test));
    case 'codeowners':
      return firstOf(frames, ({ mapped, plain }) =>
        [mapped?.path ?? '', plain].find((path) => path !== '' && test(path)),
      );
    case 'module':
      return modules.find(test);
    case 'url':
      return url !== '' && test(url) ? url : undefined;
    case 'tag': {
      const value = tags.get(tag);
      return value !== undefined && test(value) ? `${tag}: ${value}` : undefined;
    }
  }
}

function firstOf<T>(values: readonly T[], find: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function byCodeowners(files: readonly CodeownersFile[], { frames }: Facts, owners: Owners, isLate: IsLate): Match[] {
  const matches: Match[] = [];
  const seen = new Set<CodeownersRule>();
  for (const { mapped, plain } of frames) {
    for (const file of files) {
      // A file of another repository may be called the same.
      if (mapped && file.repositoryId !== null && mapped.repositoryId !== file.repositoryId) continue;
      const path = mapped?.path ?? plain;
      if (path === '') continue;
      for (const rule of codeownersOf(file.parsed, path, isLate)) {
        if (seen.has(rule)) continue;
        seen.add(rule);
        const found = resolve(rule.owners, (name) => owners.ofCodeowners(name, file.names));
        matches.push({ source: 'codeowners', line: rule.line, text: rule.text, ...found, why: path });
      }
    }
  }
  return matches;
}

function resolve(
  names: readonly string[],
  find: (name: string) => Owner | undefined,
): { owners: readonly Owner[]; unknown: readonly string[] } {
  const owners = new Map<string, Owner>();
  const unknown: string[] = [];
  for (const name of names) {
    const owner = find(name);
    if (owner) owners.set(ownerKey(owner), owner);
    else unknown.push(name);
  }
  return { owners: [...owners.values()], unknown };
}
