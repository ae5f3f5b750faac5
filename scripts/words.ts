/** Words and lengths that docs/style.md rules out, in all texts that people read but the console's (its catalogues are read). */
import { globSync, readFileSync } from 'node:fs';
import { matchesGlob, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface Finding {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

interface Text {
  /** Where it starts in its file. */
  readonly at: number;
  readonly text: string;
}

export interface Forbidden {
  readonly words: string;
  readonly instead: string;
  readonly pattern: RegExp;
}

export interface Exception {
  /** A path, with `*` as in globs. */
  readonly file: string;
  /** One of the list, or `all`. */
  readonly words: string;
}

export interface Style {
  readonly forbidden: readonly Forbidden[];
  readonly exceptions: readonly Exception[];
}

/** Words that a sentence may have. */
export const bounds = { product: 20, guide: 30 } as const;

export function readStyle(style: string): Style {
  const section = (title: string): string => style.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const entries = [...section('Words that do not occur').matchAll(/^- (.+) → (.+)$/gm)];
  const rows = [...section('Exceptions').matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)];
  return {
    forbidden: entries.flatMap(([, words = '', instead = '']) =>
      words.split(', ').map((each) => ({ words: each, instead, pattern: patternOf(each) })),
    ),
    exceptions: rows.flatMap(([, file = '', words = '']) =>
      words
        .trim()
        .split(', ')
        .map((each) => ({ file, words: each })),
    ),
  };
}

/** Whole words, however they are broken over lines; a full stop means the end of a sentence. */
function patternOf(words: string): RegExp {
  const atEnd = words.endsWith('.');
  const parts = words.replace(/\.$/, '').replaceAll(' ', String.raw`\s+`);
  return new RegExp(
    String.raw`(?<![\w/.-])${parts}${atEnd ? String.raw`(?=\s*(?:[.!?;]|$))` : String.raw`(?![\w-])`}`,
    'i',
  );
}

/**
 * Sentences end where a capital, a quote, code, `name:` or nothing follows; abbreviations and versions have none of these.
 * In Markdown they end with a paragraph, heading, item or cell.
 */
const sentencesOf = (text: string): string[] =>
  text.split(/\n\s*\n|\n(?=[#>|-]|\d\.|\w+:)|(?<=[.!?][)”"*_]*)\s+(?=[\p{Lu}“"([*_`\d…]|\w+:|$)|(?<=;)\s+(?=\w+:)/u);

export function faultsOf(text: string, forbidden: readonly Forbidden[], bound: number): string[] {
  const found = forbidden
    .filter(({ pattern }) => pattern.test(text))
    .map(({ words, instead }) => `“${words}” (write: ${instead})`);
  const longest = Math.max(...sentencesOf(text).map((sentence) => (sentence.match(/[^\s–—·|]+/g) ?? []).length));
  return [
    ...found,
    ...(longest > bound ? [`a sentence of ${longest} words (at most ${bound})`] : []),
    ...(/\p{L}{2}!(?=\s|$)/u.test(text) ? ['an exclamation mark'] : []),
  ];
}

interface Node {
  readonly type: string;
  readonly start: number;
}

/** SQL, styles and lists of names: words that shout, statements, and texts full of `snake_case` or calls. */
function isCode(text: string): boolean {
  const isSql =
    /\b(?:SELECT|INSERT|ALTER|CREATE|WHERE|FROM|GROUP BY|ORDER BY|LIMIT|JOIN|SETTINGS|DELETE|UPDATE|AND|AS|DESC|NULL)\b/;
  const isStatement =
    /^(?:select|with|update|insert into|alter table|create|case when|\w+ as \w+$|[\w.]+ (?:is|in|not in) )/;
  const names = text.match(/\w[a-z]*_\w+|[a-z]+[A-Z]\w*\(|[a-z-]+:[^\s;]+;/g) ?? [];
  return isSql.test(text) || isStatement.test(text) || names.length > text.split(/\s+/).length / 4;
}

/** Literals of a module that read like words; values of templates become `…`. Names, keys and SQL are no texts. */
export function textsOf(file: string, source: string): Text[] {
  const found: Text[] = [];
  const isCatalogue = file.includes('/base/texts/');
  const take = (node: Node, text: string): void => {
    const plain = text
      .replaceAll(/`[^`]*`/g, '`…`')
      .replaceAll(/<[^<>]*>/g, '\n')
      .trim();
    if (/[a-z]{2,} [a-z]{2,}/i.test(plain) && (isCatalogue || !isCode(plain)))
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
    else if (node.type === 'TemplateLiteral') {
      const quasis = node['quasis'] as readonly { value: { cooked: string | null } }[];
      take(node, quasis.map((quasi) => quasi.value.cooked ?? '').join('…'));
    }
    for (const key in node)
      if (key !== 'type' && key !== 'start' && node.type !== 'ImportDeclaration') visit(node[key]);
  };
  visit(parseSync(file, source).program);
  return found;
}

/** Paragraphs, list items, headings and cells. Code has other rules, and so has what stands between backticks. */
export function textsOfMarkdown(source: string): Text[] {
  const blank = (match: string): string => match.replaceAll(/[^\n]/g, ' ');
  const prose = source
    .replace(/^---\n[\s\S]*?\n---\n/, blank)
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, blank)
    .replaceAll(/``[^`\n]+``|`[^`]*`/g, (code) => code.replaceAll(/[^\n]/g, '_'))
    .replaceAll(/\]\([^)]*\)/g, (target) => `]${blank(target.slice(1))}`)
    .replaceAll(/<!--[\s\S]*?-->/g, blank);
  const found: Text[] = [];
  for (const block of prose.matchAll(/(?:^[ \t]*\S.*(?:\n|$))+/gm)) {
    let at = block.index;
    for (const part of block[0].split(/(?<=\n)(?=\s*(?:[-*>]|\d+\.|#+|\|) ?)|(?<=^\s*#.*\n)/m)) {
      // Cells are often lists.
      const cells = part.trimStart().startsWith('|') ? part.split(/[|;]/) : [part];
      for (const text of cells) if (/[a-z]{2,}/i.test(text)) found.push({ at, text: text.trim() });
      at += part.length;
    }
  }
  return found;
}

/** Messages of a catalogue, however deep; plural forms are messages each. */
export function textsOfCatalogue(source: string): Text[] {
  const found: Text[] = [];
  let from = 0;
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      const at = source.indexOf(JSON.stringify(value), from);
      if (at >= 0) from = at;
      found.push({ at: from, text: value });
    } else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) visit(each);
  };
  visit(JSON.parse(source));
  return found;
}

export function check(file: string, source: string, { forbidden, exceptions }: Style): Finding[] {
  const isGuide = file.endsWith('.md');
  const texts = isGuide
    ? textsOfMarkdown(source)
    : file.endsWith('.json')
      ? textsOfCatalogue(source)
      : textsOf(file, source);
  const excepted = exceptions.filter((each) => matchesGlob(file, each.file)).map(({ words }) => words);
  if (excepted.includes('all')) return [];
  const held = forbidden.filter(({ words }) => !excepted.includes(words));
  return texts.flatMap(({ at, text }) =>
    faultsOf(text, held, isGuide ? bounds.guide : bounds.product).map((why) => ({
      line: source.slice(0, at).split('\n').length,
      text: text.replaceAll(/\s+/g, ' '),
      why,
    })),
  );
}

/** The changelog's newest part; those before were published. */
const newestPart = (changelog: string): string => changelog.split(/^(?=## )/m, 2).join('');

const files = [
  'server/src/**/*.ts',
  'packages/*/src/**/*.{ts,tsx}',
  'packages/*/README.md',
  'console/messages/**/*.json',
  'docs/*.md',
  'docs/guides/**/*.md',
  '.changeset/*.md',
  'CHANGELOG.md',
  'README.md',
  'SECURITY.md',
];

/** What people do not read, and the style guide, which names the words. */
const isOut = (file: string): boolean =>
  /\.test\.tsx?$|\.d\.ts$|\/testing[./]|\/ports\/[\w-]+\/contract\.ts$|\/conformance\.ts$|\/migrations\/|^docs\/style\.md$|\.changeset\/README\.md$/.test(
    file,
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const style = readStyle(readFileSync(`${root}docs/style.md`, 'utf8'));
  const [, , only = ''] = process.argv;
  let count = 0;
  for (const file of globSync(files, { cwd: root }).toSorted()) {
    if (isOut(file) || !file.startsWith(only)) continue;
    const source = readFileSync(root + file, 'utf8');
    for (const { line, text, why } of check(file, file === 'CHANGELOG.md' ? newestPart(source) : source, style)) {
      count++;
      console.error(`${relative('.', root + file)}:${line}: ${why} in “${text.slice(0, 200)}”`);
    }
  }
  if (count > 0) {
    console.error(`\n${count} texts against docs/style.md`);
    process.exitCode = 1;
  }
}
