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
