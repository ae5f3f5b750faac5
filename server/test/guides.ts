/** What the guides say, for tests that do it: blocks of code, and commands. */
import { readFile } from 'node:fs/promises';

/** Of `docs/guides/NAME.md`. */
export const guideText = (name: string): Promise<string> =>
  readFile(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');

/** The blocks of code of a language, '' for those that name none, in order. */
export const codeBlocks = (guide: string, language: string): string[] =>
  [...guide.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  );

/** Their lines. */
export const commandLines = (guide: string, language: string): string[] =>
  codeBlocks(guide, language).flatMap((block) => block.trim().split('\n'));

/** What follows `culprit NAME` at the beginning of a line, wherever that stands. */
export const argumentsOf = (guide: string, name: string): string[] =>
  [...guide.matchAll(new RegExp(`^culprit ${name} (.+)$`, 'gm'))].map(([, words = '']) => words);

export interface Run {
  readonly environment: Readonly<Record<string, string>>;
  /** What follows `culprit`. */
  readonly words: readonly string[];
}

/** Commands of `culprit` in blocks for a shell, with values for the variables that they name, and what was exported before. */
export function culpritRuns(guide: string, values: Readonly<Record<string, string>>): Run[] {
  const exported: Record<string, string> = {};
  return commandLines(guide, 'sh').flatMap((line) => {
    const words = line
      .split(' ')
      .map((word) => word.replaceAll(/"\$(\w+)"/g, (_, name: string) => valueOf(values, name)));
    if (words[0] === 'export') {
      for (const word of words.slice(1)) exported[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1);
      return [];
    }
    return words[0] === 'culprit' ? [{ environment: { ...exported }, words: words.slice(1) }] : [];
  });
}

function valueOf(values: Readonly<Record<string, string>>, name: string): string {
  const value = values[name];
  if (value === undefined) throw new Error(`the guide names $${name}, of which the test knows nothing`);
  return value;
}

/** Commands of `culprit` within sentences, without `culprit`. */
export const spokenCommands = (guide: string): string[] =>
  [...guide.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`culprit ([^`]+)`/g)].map(([, words = '']) => words);
