/**
 * Each command of the guides about operations is run by a test, or the guide says that it is not: here stands which of them
 * runs it. A command that is new, or that is written otherwise, has none until it is told here.
 */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { settings } from '../src/base/config.ts';
import { codeBlocks, commandLines, guideText } from './guides.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a command begins with, and the test that runs it; or the words of the guide by which it is not run. */
type Way = readonly [start: string, by: { readonly test: string } | { readonly said: string }];

const by = (path: string) => ({ test: path });
const npmPackage = by('e2e/package.test.ts');
const image = by('e2e/image.endurance.test.ts');
const here = by('server/test/guides.test.ts');
const noRoot = { said: 'They do not run the commands that need root.' };
const noDocker = { said: 'They do not run Docker or Podman.' };

const ways: Readonly<Record<string, readonly Way[]>> = {
  install: [
    ['npm ci', by('scripts/repository.test.ts')],
    ['npm run pack', npmPackage],
    ['npm run image', image],
    ['npm install', npmPackage],
    ['npx culprit serve', npmPackage],
    ['npx culprit doctor', npmPackage],
    ['useradd', noRoot],
    ['cp /opt/culprit', noRoot],
    ['systemctl', noRoot],
    ['journalctl', noRoot],
    ['sudo', noRoot],
    ['docker', noDocker],
    ['skopeo', { said: 'read it with `skopeo`' }],
  ],
  'behind-a-proxy': [
    ['CULPRIT_', here],
    ['culprit doctor', by('e2e/proxies.test.ts')],
  ],
  sizing: [],
  backup: [['culprit', by('server/test/backup.test.ts')]],
  upgrade: [['npx culprit', by('server/test/downgrade.test.ts')]],
  'move-in': [
    ['culprit import bugsink', by('server/test/import-bugsink.test.ts')],
    ['culprit import', by('server/test/import-sentry.test.ts')],
    ['culprit project alias', by('server/test/import-sentry.test.ts')],
    // An address before and after.
    ['https://', by('server/test/import-bugsink.test.ts')],
  ],
  'monitor-culprit': [
    ['culprit token create', by('server/test/monitoring.test.ts')],
    ['promtool', by('server/test/monitoring.test.ts')],
  ],
  disk: [['sqlite3', here]],
  mirror: [
    ['culprit mirror', by('server/test/mirror.test.ts')],
    ['export CULPRIT_MIRROR_TOKEN', by('server/test/mirror.test.ts')],
  ],
  export: [['culprit export', by('server/test/export.test.ts')]],
};

/** Also those that stand in a list, and those of several lines as one. */
async function commandsOf(name: string): Promise<string[]> {
  const guide = (await guideText(name)).replaceAll(/^ {3}/gm, '').replaceAll(/\\\n\s*/g, '');
  return [...commandLines(guide, ''), ...commandLines(guide, 'sh')];
}

test.each(Object.entries(ways))('each command of %s is run by a test, or said not to be', async (name, of) => {
  const commands = await commandsOf(name);
  const wayOf = (command: string) => of.find(([start]) => command.startsWith(start));
  expect(commands.filter((command) => !wayOf(command))).toEqual([]);
  expect(of.filter((way) => !commands.some((command) => wayOf(command) === way))).toEqual([]);
  const guide = (await guideText(name)).replaceAll(/\s+/g, ' ');
  for (const [, by] of of) {
    if ('said' in by) expect(guide).toContain(by.said);
    else await stat(join(root, by.test));
  }
});

test('settings that are set are ones that there are', async () => {
  const lines = commandLines(await guideText('behind-a-proxy'), 'sh').filter((line) => line.startsWith('CULPRIT_'));
  expect(lines.length).toBeGreaterThan(1);
  const known: readonly string[] = Object.values(settings).map(({ env }) => env);
  expect(known).toEqual(expect.arrayContaining(lines.map((line) => line.split('=')[0])));
});

test('a state store of an earlier version gives back its room by the command of the guide', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'culprit-guide-'));
  try {
    const [command = ''] = codeBlocks(await guideText('disk'), 'sh');
    const file = join(dir, 'state.db');
    const fill = new DatabaseSync(file);
    fill.exec('create table filled (text text)');
    const insert = fill.prepare('insert into filled values (?)');
    for (let row = 0; row < 500; row++) insert.run('x'.repeat(4_000));
    fill.exec('delete from filled');
    fill.close();
    const { size } = await stat(file);
    const [, name = '', words = ''] = /^sqlite3 (\S+) '(.+)'$/m.exec(command) ?? [];
    const database = new DatabaseSync(join(dir, name));
    database.exec(words);
    database.close();
    expect((await stat(file)).size).toBeLessThan(size / 10);
    using after = new DatabaseSync(file);
    expect(after.prepare('pragma auto_vacuum').get()).toEqual({ auto_vacuum: 2 });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

test('what npm runs in a checkout is there', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const named = (await commandsOf('install')).flatMap((line) => /^npm run (\w+)/.exec(line)?.[1] ?? []);
  expect(named.length).toBeGreaterThan(1);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});
