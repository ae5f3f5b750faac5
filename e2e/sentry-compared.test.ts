/** The guide that says which fields of which command and tool are compared with what was sent: made of the tables of the tests. */
import { expect, test } from 'vitest';
import type { Facts } from './client-facts.ts';
import { absent as absentCommands, rows as commands } from './sentry-command-rows.ts';
import { absent as absentTools, empty, rows as tools } from './sentry-mcp-rows.ts';

/** Each fact by its name. */
const named = new Proxy({}, { get: (_, name) => String(name).toUpperCase() }) as Facts;

/** `data[].title` and the like, of what must be there. Matchers hold what they look for in `sample`. */
function fieldsOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return [at];
  const { sample } = value as { sample?: unknown };
  if ('asymmetricMatch' in value) return sample === undefined ? [at] : fieldsOf(sample, at);
  if (Array.isArray(value)) {
    const inner = [...new Set(value.flatMap((one) => fieldsOf(one, `${at}[]`)))];
    return inner.length > 0 ? inner : [`${at} (empty)`];
  }
  return Object.entries(value).flatMap(([key, one]) => fieldsOf(one, at === '' ? key : `${at}.${key}`));
}

/** A label of the text, or the text itself. */
function lineOf(line: string | RegExp): string {
  const text = line instanceof RegExp ? line.source : line;
  const label = /^\W*([A-Z][\w ]+)\W*:/.exec(text)?.[1];
  return label ?? (text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('`', "'");
const list = (all: readonly string[]): string => [...new Set(all)].map((one) => `\`${cell(one)}\``).join(', ');
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (heads: readonly string[], rows: readonly string[]): string =>
  [row(...heads), row(...heads.map(() => '---')), ...rows].join('\n');

function guide(): string {
  const ofCommands = commands.map(([words, has]) =>
    row(`\`${cell(words(named).replaceAll(/\{\S+\}/g, '{…}'))}\``, list(fieldsOf(has(named)))),
  );
  const ofTools = [...tools, ...empty].map(({ tool, has, shows }) =>
    row(`\`${tool}\``, list([...(has ? fieldsOf(has(named)) : []), ...(shows?.(named) ?? []).map(lineOf)])),
  );
  const missing = [
    ...Object.entries(absentCommands).map(([words, says]) => row(`\`sentry ${words.split(' acme', 1)[0]}\``, says)),
    ...Object.entries(absentTools).map(([tool, [, says]]) => row(`\`${tool}\``, says)),
  ];
  return `# What is compared with Sentry's clients

Made from the tables of the tests by \`vitest run --project program e2e/sentry-compared.test.ts --update\`. Each field is
compared with what was sent or set before.

## The CLI \`sentry\`

${table(['command', 'fields'], ofCommands)}

## The MCP server \`@sentry/mcp-server\`

${table(['tool', 'fields, or labels of its text'], ofTools)}

## What Culprit does not have

${table(['command or tool', 'what it says'], missing)}
`;
}

test('the guide says what the tests compare', async () => {
  await expect(guide()).toMatchFileSnapshot('../docs/guides/sentry-clients-compared.md');
});
