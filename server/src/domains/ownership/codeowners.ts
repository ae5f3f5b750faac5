/**
 * CODEOWNERS files as GitHub and GitLab read them. A line is a pattern and owners; the last one that matches a path
 * decides, and one without owners says that nobody does. GitLab's sections are each asked on their own; a line in one
 * without owners has those of its heading, and `!pattern` takes files out of it.
 */
import { compileFileGlob, type Glob } from '../../process/steps/group/rules/glob.ts';
import type { RuleProblem } from '../../process/steps/group/rules/problem.ts';
import { ownershipProblems, ruleProblems } from '../../base/texts/rules.ts';
import { fileGlobsOf } from './file-globs.ts';

export interface CodeownersRule {
  /** From 1. */
  readonly line: number;
  /** As written, without the spaces around it. */
  readonly text: string;
  readonly globs: readonly Glob[];
  /** `@name`, `@organisation/team`, an address. None: nobody. */
  readonly owners: readonly string[];
}

export interface ParsedCodeowners {
  /** Lines of each section, in their order; what stands before any heading is the first. */
  readonly sections: readonly (readonly CodeownersRule[])[];
  readonly problems: readonly RuleProblem[];
}

export const codeownersLimits = { characters: 1_048_576, rules: 5_000, problems: 100, owners: 50 } as const;

const maxPattern = 1_000;
const heading = /^\^?\[([^\]]{1,200})\](?:\[\d{1,3}\])?(.*)$/;

/** Never throws. */
export function parseCodeowners(text: string): ParsedCodeowners {
  const sections = new Map<string, CodeownersRule[]>([['', []]]);
  const problems: RuleProblem[] = [];
  let section = '';
  let inherited: readonly string[] = [];
  let count = 0;
  const problem = (line: number, column: number, endColumn: number, message: string): void => {
    if (problems.length < codeownersLimits.problems) problems.push({ line, column, endColumn, message });
  };
  for (const [index, written] of text
    .slice(0, codeownersLimits.characters)
    .split(/\r\n|[\r\n]/)
    .entries()) {
    const line = index + 1;
    const trimmed = written.trim();
    const start = written.length - written.trimStart().length + 1;
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const titled = heading.exec(trimmed);
    if (titled) {
      // Sections of one name, in whatever letters, are one.
      section = (titled[1] ?? '').trim().toLowerCase();
      if (!sections.has(section)) sections.set(section, []);
      inherited = readOwners(titled[2] ?? '').owners;
      continue;
    }
    if (++count > codeownersLimits.rules) {
      problem(line, 1, written.length + 1, ruleProblems.tooManyRules(codeownersLimits.rules));
      break;
    }
    const excludes = trimmed.startsWith('!');
    const { pattern, rest } = readPattern(excludes ? trimmed.slice(1) : trimmed);
    if (pattern.length > maxPattern || pattern === '') {
      problem(
        line,
        start,
        start + pattern.length + 1,
        pattern ? ruleProblems.tooLong(maxPattern) : ownershipProblems.noPattern,
      );
      continue;
    }
    const { owners, wrong } = readOwners(rest);
    for (const name of wrong) {
      const at = written.lastIndexOf(name);
      problem(line, at + 1, at + 1 + name.length, ownershipProblems.notCodeOwner(name.slice(0, 100)));
    }
    sections.get(section)?.push({
      line,
      text: trimmed,
      globs: fileGlobsOf(pattern).map(compileFileGlob),
      owners: excludes ? [] : owners.length || wrong.length || section === '' ? owners : inherited,
    });
  }
  return { sections: [...sections.values()], problems };
}

/** Up to the first space that no backslash keeps. */
function readPattern(text: string): { pattern: string; rest: string } {
  let end = 0;
  while (end < text.length && text[end] !== ' ' && text[end] !== '\t') end += text[end] === '\\' ? 2 : 1;
  return { pattern: text.slice(0, end), rest: text.slice(end) };
}

/** What comes after ` #` is a remark. */
function readOwners(text: string): { owners: string[]; wrong: string[] } {
  const owners: string[] = [];
  const wrong: string[] = [];
  for (const word of text.split(/[ \t]+/)) {
    if (word === '') continue;
    if (word.startsWith('#')) break;
    if (owners.length >= codeownersLimits.owners) break;
    if (/^@{1,2}[\w./-]+$/.test(word) || /^[^\s@]+@[^\s@]+$/.test(word)) owners.push(word);
    else wrong.push(word);
  }
  return { owners, wrong };
}

/** The lines that decide for a path, one a section at most; those without owners are left out, as is what is late. */
export function codeownersOf(
  { sections }: ParsedCodeowners,
  path: string,
  isLate: () => boolean = () => false,
): CodeownersRule[] {
  return sections.flatMap((rules) => {
    const last = rules.findLast(({ globs }) => !isLate() && globs.some((glob) => glob.matches(path)));
    return last && last.owners.length ? [last] : [];
  });
}
