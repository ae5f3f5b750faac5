/** Words that docs/style.md rules out, in texts that people read: strings of the console, server errors, the README and guides. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { relative } from 'node:path';
import { parseSync } from 'oxc-parser';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface Finding {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

const longestSentence = 45;

/** The list under its heading in docs/style.md. */
export function readForbidden(style: string): readonly string[] {
  const list = style.split('## Words that do not occur')[1] ?? '';
  return [...list.matchAll(/^- (.+)$/gm)].map(([, words]) => words?.trim() ?? '').filter(Boolean);
}

export function faultsOf(text: string, forbidden: readonly string[]): string[] {
  const words = forbidden.filter((each) =>
    new RegExp(`\\b${each.replaceAll(' ', String.raw`\s+`)}\\b`, 'i').test(text),
  );
  const long = text.split(/(?<=[.!?:;])\s+/).find((sentence) => sentence.split(/\s+/).length > longestSentence);
  return [
    ...words.map((each) => `“${each}”`),
    ...(long === undefined ? [] : [`a sentence of more than ${longestSentence} words`]),
  ];
}

interface Node {
  readonly type: string;
  readonly start: number;
}

/** Literals of a module that read like words, and text between tags. Names, keys and SQL have no spaces or shout. */
export function textsOf(file: string, source: string): { readonly at: number; readonly text: string }[] {
  const found: { at: number; text: string }[] = [];
  const take = (node: Node, text: string | null | undefined): void => {
    const plain = text?.replaceAll(/\s+/g, ' ').trim() ?? '';
    if (/[a-z]{2,} [a-z]{2,}/i.test(plain) && !/\b(?:SELECT|INSERT|ALTER|CREATE|WHERE|ORDER BY)\b/.test(plain))
      found.push({ at: node.start, text: plain });
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each);
      return;
    }
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const node = value as Node & Readonly<Record<string, unknown>>;
    if (node.type === 'Literal' && typeof node['value'] === 'string') take(node, node['value']);
    else if (node.type === 'JSXText') take(node, node['value'] as string);
    else if (node.type === 'TemplateElement') take(node, (node['value'] as { cooked: string | null }).cooked);
    for (const key in node) if (key !== 'type' && key !== 'start') visit(node[key]);
  };
  visit(parseSync(file, source).program);
  return found;
}

export function check(file: string, source: string, forbidden: readonly string[]): Finding[] {
  const texts = file.endsWith('.md') ? paragraphsOf(source) : textsOf(file, source);
  return texts.flatMap(({ at, text }) =>
    faultsOf(text, forbidden).map((why) => ({ line: source.slice(0, at).split('\n').length, text, why })),
  );
}

/** Prose alone: code, tables and headings have no sentences. */
function paragraphsOf(source: string): { readonly at: number; readonly text: string }[] {
  const prose = source.replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/[^\n]/g, ' '));
  return [...prose.matchAll(/(?:^(?!\||#)\S.*\n?|^ +\S.*\n?)+/gm)].flatMap((match) =>
    match[0].split(/\n(?=\s*(?:[-*]|\d+\.) )/).map((text) => ({ at: match.index, text })),
  );
}

const files = ['console/src/**/*.{ts,tsx}', 'server/src/base/errors.ts', 'docs/guides/**/*.md', 'README.md'];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const forbidden = readForbidden(readFileSync(`${root}docs/style.md`, 'utf8'));
  let count = 0;
  for (const file of globSync(files, { cwd: root }).toSorted()) {
    if (/\.test\.tsx?$|schema\.d\.ts$/.test(file)) continue;
    for (const { line, text, why } of check(file, readFileSync(root + file, 'utf8'), forbidden)) {
      count++;
      console.error(`${relative('.', root + file)}:${line}: ${why} in “${text.slice(0, 160)}”`);
    }
  }
  if (count > 0) {
    console.error(`\n${count} texts against docs/style.md`);
    process.exitCode = 1;
  }
}
