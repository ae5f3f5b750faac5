import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { consoleRooms, type Room, serverRooms } from './house.ts';
import { deepest } from './walls.ts';

const root = join(import.meta.dirname, '..');
const houses = [
  ['server/src', serverRooms],
  ['console/src', consoleRooms],
] as const satisfies readonly (readonly [string, readonly Room[]])[];

/** Of what is kept in the repository, and what will be. */
function filesOf(source: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', source], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.split('\n').flatMap((file) => (file === '' ? [] : [file.slice(source.length + 1)]));
}

describe.each(houses)('%s', (source, rooms) => {
  const roomOf = (file: string) => rooms.find(([path]) => file === path || file.startsWith(`${path}/`))?.[0];

  test('every file is in a room, and no room is empty', () => {
    const files = filesOf(source).filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
    expect(new Set(files.map(roomOf))).toEqual(new Set(rooms.map(([path]) => path)));
    const depth = (file: string): number => file.split('/').length - 1 - (roomOf(file) ?? '').split('/').length;
    expect(files.filter((file) => depth(file) > deepest)).toEqual([]);
  });

  test('no folders beside each other import each other, also by way of others', async () => {
    const files = filesOf(source).filter((file) => /\.tsx?$/.test(file) && !isForTests(file));
    const arrows = new Map<string, Set<string>>();
    for (const file of files) {
      const text = await readFile(join(root, source, file), 'utf8');
      for (const [, specifier = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
        const [from, to] = parting(dirname(file), dirname(join(dirname(file), specifier)));
        if (from && to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
      }
    }
    expect([...arrows.keys()].filter((folder) => reaches(arrows, folder, folder))).toEqual([]);
  });
});

/** What the linter lets import from further up. */
const isForTests = (file: string): boolean =>
  /\.test\.|(?:^|\/)testing\/|(?:^|\/)(?:testing|test-server)\.ts$|^ports\/\w+\/contract\.ts$/.test(file);

/** The two folders of one folder in which the paths part; nothing where one holds the other. */
function parting(from: string, to: string): [string?, string?] {
  const [a, b] = [from.split('/'), to.split('/')];
  const at = a.findIndex((name, index) => name !== b[index]);
  return at < 0 || at >= b.length ? [] : [a.slice(0, at + 1).join('/'), b.slice(0, at + 1).join('/')];
}

function reaches(arrows: ReadonlyMap<string, ReadonlySet<string>>, start: string, goal: string): boolean {
  const seen = new Set<string>();
  const next = [...(arrows.get(start) ?? [])];
  for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
    if (folder === goal) return true;
    if (seen.has(folder)) continue;
    seen.add(folder);
    next.push(...(arrows.get(folder) ?? []));
  }
  return false;
}

test('ARCHITECTURE.md shows the map', async () => {
  const text = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8');
  const shown = [...text.matchAll(/^\| `([\w/.-]+)` +\| (.+?) +\|$/gm)].map(([, path, what]) => [path, what]);
  expect(shown).toEqual([...serverRooms, ...consoleRooms.map(([path, what]) => [`console/${path}`, what])]);
});

const wrong = [
  ['a domain, the API', 'server/src/domains/alerts/rule.ts', `import { api } from '../../api/index.ts';`],
  ['a domain, one after it', 'server/src/domains/issues/x/y.ts', `import { rule } from '../../alerts/index.ts';`],
  ['types as well', 'server/src/base/errors.ts', `import type { State } from '../ports/state/state.ts';`],
  ['what is passed on', 'server/src/process/types.ts', `export { issue } from '../domains/issues/index.ts';`],
  [
    'what is loaded later',
    'server/src/ingest/index.ts',
    `export const load = () => import('../pipeline/pipeline.ts');`,
  ],
  ['the inside of a domain', 'server/src/domains/releases/x.ts', `import { row } from '../release-order/rows.ts';`],
  ['a folder of a domain', 'server/src/api/x/y.ts', `import { work } from '../../domains/issues/work/index.ts';`],
  ['what resources share, one of them', 'server/src/api/shared/x.ts', `import { issue } from '../issues/contract.ts';`],
  ['a feature, a page', 'console/src/features/find/a/b.tsx', `import { Page } from '../../../pages/find/Page.tsx';`],
] as const;

const right = [
  [
    'what stands before it',
    'server/src/pipeline/worker.ts',
    `import { map } from '../domains/artifacts/symbolicator.ts';`,
  ],
  ['a domain before it', 'server/src/domains/alerts/look.ts', `import { issue } from '../issues/index.ts';`],
  ['by what resources share', 'server/src/api/shared/y.ts', `import { issue } from '../../domains/issues/index.ts';`],
  [
    'a folder of its own that is called like a room',
    'server/src/domains/issues/work/x.ts',
    `import { now } from '../now/now.ts';`,
  ],
  ['by tests', 'server/src/base/errors.test.ts', `import { state } from '../ports/state/state.ts';`],
] as const;

describe('a wall', () => {
  /** All at once: a start of the linter is dear. */
  const refused = new Set<string>();
  beforeAll(async () => {
    const dir = await mkdtemp(join(tmpdir(), 'culprit-house-'));
    await mkdir(join(dir, 'scripts'));
    for (const file of ['oxlint.config.ts', 'scripts/house.ts', 'scripts/walls.ts']) {
      await cp(join(root, file), join(dir, file));
    }
    await symlink(join(root, 'node_modules'), join(dir, 'node_modules'));
    await writeFile(join(dir, 'package.json'), '{ "type": "module" }');
    for (const [, file, text] of [...wrong, ...right]) {
      await mkdir(dirname(join(dir, file)), { recursive: true });
      const use = /import \{ (\w+)/.exec(text)?.[1];
      await writeFile(join(dir, file), `${text}\n${use ? `console.log(${use});` : ''}\n`);
    }
    const files = [...wrong, ...right].map(([, file]) => file);
    const lint = join(root, 'node_modules/.bin/oxlint');
    const { stdout } = spawnSync(lint, ['--format=json', ...files], { cwd: dir, encoding: 'utf8' });
    await rm(dir, { recursive: true });
    const { diagnostics, number_of_files } = JSON.parse(stdout) as {
      diagnostics: { code: string; filename: string }[];
      number_of_files: number;
    };
    expect(number_of_files).toBe(files.length);
    for (const { code, filename } of diagnostics) if (code.includes('no-restricted-imports')) refused.add(filename);
  });

  test.each(wrong)('%s', (_what, file) => {
    expect([...refused]).toContain(file);
  });

  test.each(right)('nothing else: %s', (_what, file) => {
    expect([...refused]).not.toContain(file);
  });
});
