import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe('a wall', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'culprit-house-'));
    await mkdir(join(dir, 'scripts'));
    for (const file of ['oxlint.config.ts', 'scripts/house.ts', 'scripts/walls.ts']) {
      await cp(join(root, file), join(dir, file));
    }
    await symlink(join(root, 'node_modules'), join(dir, 'node_modules'));
    await writeFile(join(dir, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => rm(dir, { recursive: true }));

  async function lint(file: string, text: string): Promise<string> {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await writeFile(join(dir, file), text);
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), [file], { cwd: dir, encoding: 'utf8' });
    await rm(join(dir, file));
    return stdout;
  }

  test.each([
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
    [
      'what resources share, one of them',
      'server/src/api/shared/x.ts',
      `import { issue } from '../issues/contract.ts';`,
    ],
    ['a feature, a page', 'console/src/features/find/a/b.tsx', `import { Page } from '../../../pages/find/Page.tsx';`],
  ])('%s', async (_what, file, text) => {
    const use = /import \{ (\w+)/.exec(text)?.[1];
    expect(await lint(file, `${text}\n${use ? `console.log(${use});` : ''}\n`)).toContain('no-restricted-imports');
  });

  test('nothing else: what stands before it, folders of its own that are called like a room, and tests', async () => {
    for (const [file, text] of [
      [
        'server/src/pipeline/worker.ts',
        `import { map } from '../domains/artifacts/symbolicator.ts';\nconsole.log(map);\n`,
      ],
      ['server/src/domains/alerts/rule.ts', `import { issue } from '../issues/index.ts';\nconsole.log(issue);\n`],
      ['server/src/api/shared/x.ts', `import { issue } from '../../domains/issues/index.ts';\nconsole.log(issue);\n`],
      ['server/src/domains/issues/work/x.ts', `import { now } from '../now/now.ts';\nconsole.log(now);\n`],
      ['server/src/base/errors.test.ts', `import { state } from '../ports/state/state.ts';\nconsole.log(state);\n`],
    ] as const)
      expect(await lint(file, text)).not.toContain('no-restricted-imports');
  });
});
