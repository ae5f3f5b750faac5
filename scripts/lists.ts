/**
 * Writes the lists of what is found by its place: tables of the events store, types of items, migrations of the store,
 * resources of the API; and from these docs/access.md, the table of who may call what.
 * Lists, not a walk at the start: a bundle has no folders, and types follow imports only.
 * `--check` writes nothing and fails when one is stale.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

interface List {
  /** Below `server/src`. */
  readonly folder: string;
  readonly what: string;
  /** The module beside the list that an entry of the folder stands for; undefined for none. */
  moduleOf(entry: { readonly name: string; readonly isFolder: boolean }): string | undefined;
  /** What each module exports; under a name of its own, the folder's, if undefined. */
  readonly exported?: string;
  /** The rest of the list, of the names under which the modules are imported. */
  write(names: readonly string[]): string;
}

const spread = (names: readonly string[]): string => names.map((name) => `  ...${name},\n`).join('');
const items = (names: readonly string[]): string => names.map((name) => `  ${name},\n`).join('');

const lists: readonly List[] = [
  {
    folder: 'base/tables',
    what: 'The tables of the events store',
    moduleOf: ({ name, isFolder }) =>
      isFolder || name.endsWith('.test.ts') || ['all.ts', 'index.ts', 'record.ts'].includes(name) ? undefined : name,
    exported: 'tables',
    write: (names) => `\nexport const tables = {\n${spread(names)}};\n`,
  },
  {
    folder: 'process/items',
    what: 'The types of items',
    // What no other type takes is kept.
    moduleOf: ({ name, isFolder }) => (isFolder && name !== 'kept' ? `${name}/index.ts` : undefined),
    exported: 'types',
    write: (names) =>
      `import type { ItemTypes } from './item-types.ts';\n\nexport const types: ItemTypes = {\n${spread(names)}};\n`,
  },
  {
    folder: 'ports/events/migrations',
    what: 'The migrations of the events store',
    moduleOf: ({ name }) => (/^\d{4}-.+(?<!\.test)\.ts$/.test(name) ? name : undefined),
    exported: 'migration',
    write: (names) =>
      `import type { Migration } from './migration.ts';\n\n` +
      `export const migrations: readonly Migration[] = [\n${items(names)}];\n`,
  },
  {
    folder: 'api',
    what: 'The resources of the API',
    moduleOf: ({ name, isFolder }) => (isFolder && name !== 'shared' ? `${name}/index.ts` : undefined),
    write: (names) =>
      `import type { Resource } from './shared/resource.ts';\n\n` +
      `export const resources: readonly Resource[] = [\n${items(names)}];\n`,
  },
];

/** `check-in/index.ts` → `checkIn`, `0001-errors.ts` → `errors`. */
const nameOf = (module: string): string =>
  module
    .replace(/(?:\/index)?\.ts$/, '')
    .replace(/^\d+-/, '')
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function textOf({ folder, what, moduleOf, exported, write }: List, sources: string): string {
  const modules = readdirSync(join(sources, folder), { withFileTypes: true })
    .flatMap((entry) => moduleOf({ name: entry.name, isFolder: entry.isDirectory() }) ?? [])
    .sort();
  const named = modules.map((module) => [module, nameOf(module)] as const);
  const imports = named.map(([module, name]) => {
    const binding = exported === undefined || exported === name ? name : `${exported} as ${name}`;
    return `import { ${binding} } from './${module}';\n`;
  });
  const names = named.map(([, name]) => name);
  return `/** ${what}: what lies beside this file. Written by scripts/lists.ts. */\n${imports.join('')}${write(names)}`;
}

/** The lists that differ from what lies beside them, below `sources`. */
export function staleLists(sources: string): { readonly path: string; readonly text: string }[] {
  return lists.flatMap((list) => {
    const path = join(sources, list.folder, 'all.ts');
    const text = textOf(list, sources);
    return readFileSync(path, { encoding: 'utf8', flag: 'a+' }) === text ? [] : [{ path, text }];
  });
}

/** docs/access.md, as it should be. Loads the whole API, whose own list must be right before. */
export async function accessList(): Promise<{ readonly path: string; readonly text: string }[]> {
  const { accessDocument } = await import('../server/src/api/access-table.ts');
  const path = join(import.meta.dirname, '../docs/access.md');
  const text = accessDocument();
  return readFileSync(path, { encoding: 'utf8', flag: 'a+' }) === text ? [] : [{ path, text }];
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
  const stale = staleLists(positionals[0] ?? join(import.meta.dirname, '../server/src'));
  const settle = (all: ReturnType<typeof staleLists>): void => {
    for (const { path, text } of all) {
      if (values.check) {
        console.error(`${path} is stale; run: npm run lists`);
        process.exitCode = 1;
      } else {
        writeFileSync(path, text);
        console.log(`wrote ${path}`);
      }
    }
  };
  settle(stale);
  if (positionals[0] === undefined) settle(await accessList());
}
