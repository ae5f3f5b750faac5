/** The real sentry-cli and everything that it does beside uploads: releases, commits, deploys, lists, events. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { sentryCli, uploadSettings } from './uploads.ts';

let server: Server;
/** A git repository with three commits. */
let checkout: string;
let head: string;
/** A token for builds alone, and one of the owner. */
let build: Record<string, string>;
let own: Record<string, string>;

const git = async (...words: string[]): Promise<string> => {
  const who = ['-c', 'user.name=Ada Dev', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
  return (await promisify(execFile)('git', [...who, ...words], { cwd: checkout })).stdout.trim();
};

beforeAll(async () => {
  [server, checkout] = await Promise.all([Server.create(), mkdtemp(join(tmpdir(), 'culprit-checkout-'))]);
  build = await uploadSettings(server);
  own = { ...build, SENTRY_AUTH_TOKEN: server.installed.token, SENTRY_DSN: server.installed.dsn };
  await git('init', '-q');
  for (const number of [1, 2, 3]) {
    await writeFile(join(checkout, `file-${number}.ts`), `export const value = ${number};\n`);
    await git('add', '.');
    await git('commit', '-qm', `change ${number}`);
  }
  head = await git('rev-parse', 'HEAD');
  await git('remote', 'add', 'origin', 'https://github.com/acme/shop.git');
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  if (checkout) await rm(checkout, { recursive: true, force: true });
});

/** Output of a command that must succeed. */
async function cli(words: string, settings = build): Promise<string> {
  const { code, output } = await sentryCli(words.split(' '), checkout, settings);
  expect(code, `${words}\n${output}`).toBe(0);
  return output;
}

interface Release {
  readonly status: string;
  readonly url: string | null;
  readonly dateReleased: string | null;
  readonly commitCount: number;
  readonly lastCommit: { readonly id: string } | null;
  readonly projects: readonly { readonly slug: string }[];
  readonly refs: readonly { readonly repository: string; readonly commit: string }[];
}
const releaseOf = (version: string): Promise<Release> =>
  server.api<Release>(`/organizations/${server.installed.organization}/releases/${version}/`);

test('a release is made, given its commits, finalized and deployed by a token for builds', async () => {
  expect(await cli('releases new web@5.6.7 --url https://ci.example.com/1')).toContain('Created release web@5.6.7');
  expect(await releaseOf('web@5.6.7')).toMatchObject({
    url: 'https://ci.example.com/1',
    projects: [{ slug: 'web' }],
    dateReleased: null,
  });
  expect(await cli('releases set-commits web@5.6.7 --local')).toContain('Set commits for release web@5.6.7');
  expect(await releaseOf('web@5.6.7')).toMatchObject({ commitCount: 3, lastCommit: { id: head } });
  const commits = await server.api<object[]>('/organizations/acme/releases/web@5.6.7/commits/');
  expect(commits[0]).toMatchObject({
    id: head,
    message: 'change 3\n',
    author: { name: 'Ada Dev', email: 'ada@example.com' },
    files: [{ path: 'file-3.ts', type: 'A' }],
  });
  await cli('releases finalize web@5.6.7');
  expect((await releaseOf('web@5.6.7')).dateReleased).not.toBeNull();
  expect(await cli('deploys new -r web@5.6.7 -e production -n first -t 12')).toContain('Created new deploy first');
  expect(await cli('deploys list -r web@5.6.7')).toMatch(/production .* first/);
});

test('the next release has the commits since the one before', async () => {
  await writeFile(join(checkout, 'file-1.ts'), 'export const value = 4;\n');
  await git('commit', '-qam', 'change 4');
  await cli('releases new web@5.6.8 --finalize');
  // Nobody has set up a repository, so what git has is sent.
  expect(await cli('releases set-commits web@5.6.8 --auto')).toContain('find commits from local git tree');
  expect(await releaseOf('web@5.6.8')).toMatchObject({
    commitCount: 1,
    lastCommit: { id: await git('rev-parse', 'HEAD') },
  });
  expect(await cli('releases set-commits web@5.6.8 --commit acme/shop@HEAD')).toContain('Set commits');
});

test('with a repository that was set up, the heads are sent', async () => {
  expect(await cli('repos list')).toContain('No repos found');
  const url = 'https://github.com/acme/shop';
  await server.api('/organizations/acme/repos/', { method: 'POST', body: JSON.stringify({ url }) });
  expect(await cli('repos list')).toMatch(/acme\/shop \| GitHub .* https:\/\/github.com\/acme\/shop/);
  await cli('releases new web@5.7.0');
  await cli('releases set-commits web@5.7.0 --auto');
  const commit = await git('rev-parse', 'HEAD');
  expect(await releaseOf('web@5.7.0')).toMatchObject({ refs: [{ repository: 'acme/shop', commit }] });
  await cli(`releases set-commits web@5.7.0 --commit acme/shop@${head}`);
  expect(await releaseOf('web@5.7.0')).toMatchObject({
    refs: [{ repository: 'acme/shop', commit: head }],
    lastCommit: { id: head },
  });
});

test('releases are listed, shown, archived, restored and deleted', async () => {
  const list = await cli('releases list');
  for (const version of ['web@5.7.0', 'web@5.6.8', 'web@5.6.7']) expect(list).toContain(version);
  const info = await cli('releases info web@5.6.7 --show-projects --show-commits');
  expect(info).toContain(head);
  expect(info).toContain('web@5.6.7');
  await cli('releases archive web@5.6.7');
  expect((await releaseOf('web@5.6.7')).status).toBe('archived');
  expect(await cli('releases list')).not.toContain('web@5.6.7');
  await cli('releases restore web@5.6.7');
  expect((await releaseOf('web@5.6.7')).status).toBe('open');
  expect(await cli('releases delete web@5.7.0')).toContain('Deleted release web@5.7.0');
  expect(await cli('releases delete web@5.7.0')).toContain('does not exist');
  expect((await sentryCli(['releases', 'info', 'web@5.7.0'], checkout, build)).code).toBe(1);
});

test('who the caller is, and what there is', async () => {
  const info = await cli('info');
  expect(info).toContain('project:releases');
  expect(info).toContain('owner@example.com');
  expect(await cli('organizations list', own)).toMatch(/\| Acme \| acme \|/);
  expect(await cli('projects list', own)).toMatch(/\| web +\| - +\| Web /);
  expect((await cli('monitors list', own)).trim()).toBe('');
});

test('logs are listed', async () => {
  expect(await cli('logs list', own)).toContain('No logs found');
  const items = [{ timestamp: Date.now() / 1000, level: 'warn', body: 'stock is low', trace_id: 'a'.repeat(32) }];
  const envelope = `{"dsn":"${server.installed.dsn}"}\n{"type":"log","item_count":1,"content_type":"application/vnd.sentry.items.log+json"}\n${JSON.stringify({ items })}\n`;
  await writeFile(join(checkout, 'logs.envelope'), envelope);
  await cli('send-envelope --raw logs.envelope', own);
  await server.until('the log', async () => (await server.api<object[]>('/organizations/acme/logs/')).length > 0);
  const list = await cli('logs list', own);
  expect(list).toContain('stock is low');
  expect(list).toContain('a'.repeat(32));
});

test('events and envelopes sent by hand become issues', async () => {
  expect(await cli('events list', own)).toContain('No events found');
  expect(await cli('issues list', own)).toContain('No issues found');
  expect(await cli('send-event -m by-hand -r web@9.0.0 -E staging', own)).toContain('Event dispatched');
  const id = 'a'.repeat(32);
  const item = JSON.stringify({ event_id: id, message: 'by envelope', release: 'web@9.0.0' });
  const envelope = `${JSON.stringify({ event_id: id, dsn: server.installed.dsn })}\n{"type":"event","length":${item.length}}\n${item}\n`;
  await writeFile(join(checkout, 'one.envelope'), envelope);
  await cli('send-envelope one.envelope', own);
  await server.until('both issues', async () => {
    const issues = await server.api<object[]>('/organizations/acme/issues/?query=');
    return issues.length === 2;
  });
  const events = await cli('events list', own);
  expect(events).toContain('by-hand');
  expect(events).toContain('by envelope');
  const issues = await cli('issues list', own);
  expect(issues).toMatch(/WEB-1 .* unresolved/);
  expect(await cli('issues resolve --id 1', own)).toContain('resolved');
  expect(await cli('issues list', own)).toMatch(/WEB-1 .* resolved/);
  // A release exists as soon as an event carries it.
  expect(await server.api('/organizations/acme/releases/?environment=staging')).toMatchObject([
    { version: 'web@9.0.0', newGroups: 2 },
  ]);
});
