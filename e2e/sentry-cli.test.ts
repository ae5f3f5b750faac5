/** The real sentry-cli: an address and a token are all it needs, whichever way builds are told apart. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { type BuildOptions, buildScript, readFrame, sendEvent, storedEvent, throwIn } from './built-script.ts';
import { organizationToken, sentry, sentryCli, uploadSettings } from './uploads.ts';

let server: Server;
let settings: Record<string, string>;
let directory: string;

beforeAll(async () => {
  [server, directory] = await Promise.all([Server.create(), mkdtemp(join(tmpdir(), 'culprit-cli-'))]);
  settings = await uploadSettings(server);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  if (directory) await rm(directory, { recursive: true, force: true });
});

async function built(options: BuildOptions): Promise<string> {
  const dir = await mkdtemp(join(directory, 'build-'));
  await buildScript(dir, options);
  return dir;
}

const cli = (dir: string, words: string, others: Readonly<Record<string, string>> = settings) =>
  sentryCli(words.split(' '), dir, others);

/** The stack of the built script as people should read it: where each line was written. */
const original = ['buy src/main.ts:13:17', 'checkout src/checkout.ts:12:10', 'applyCoupon src/pricing.ts:8:11'];

/** Once its maps are there, however late, and not before. */
const mapped = (id: string) =>
  server.until(`event ${id} with lines of sources`, async () => {
    const event = await storedEvent(server, id);
    return event && event.symbolication.mapped > 0 && event;
  });

describe('events first, the upload later', () => {
  async function late(options: BuildOptions): Promise<{ first: string; before: string; after: string }> {
    const dir = await built(options);
    await cli(dir, 'sourcemaps inject assets');
    const { event, debugId } = await throwIn(dir);
    await sendEvent(server, event);
    const before = await server.until('the event', () => storedEvent(server, event.event_id));
    expect(before.symbolication).toEqual({ mapped: 0, unresolved: 3 });
    expect(before.stacks[0]?.[0]?.data?.unresolved).toMatchObject({ code: 'no_artifact', debug_id: debugId });

    expect(await cli(dir, 'sourcemaps upload --wait .')).toMatchObject({ code: 0 });
    const after = await mapped(event.event_id);
    expect(after.stacks.map((frames) => frames.map(readFrame))).toEqual([original]);
    const next = await throwIn(dir);
    await sendEvent(server, next.event);
    const { groupID } = await mapped(next.event.event_id);
    return { first: event.event_id, before: before.groupID, after: groupID };
  }

  test('the same event, in the same issue, shows where it was written', async () => {
    const { first, before, after } = await late({ build: 'late' });
    expect(after).toBe(before);
    expect((await storedEvent(server, first))?.groupID).toBe(before);
  });

  test('an issue that it had made goes to the one that is known, and its address leads there', async () => {
    const { first, before, after } = await late({ build: 'late again', minify: false });
    expect(after).not.toBe(before);
    await server.until('one issue', async () => (await storedEvent(server, first))?.groupID === after);
    const issue = await server.api<{ id: string }>(`/organizations/${server.installed.organization}/issues/${before}/`);
    expect(issue.id).toBe(after);
  });
});

test('inject and upload: by debug id, whatever the address and without a release', async () => {
  const dir = await built({ build: 'debug ids' });
  expect(await cli(dir, 'sourcemaps inject assets')).toMatchObject({ code: 0 });
  const upload = await cli(dir, 'sourcemaps upload --wait .');
  expect(upload).toMatchObject({ code: 0, output: expect.stringContaining('Uploaded files to Sentry') });
  const { event, debugId } = await throwIn(dir, { origin: 'https://elsewhere.example' });
  expect(debugId).toMatch(/^[0-9a-f-]{36}$/);
  await sendEvent(server, event);
  const stored = await mapped(event.event_id);
  expect(stored.stacks.map((frames) => frames.map(readFrame))).toEqual([original]);
  const frame = stored.stacks[0]?.at(-1);
  expect(frame?.context.find(([line]) => line === frame.lineNo)?.[1]).toBe('  const { percent } = known[0] as Coupon;');
  expect(frame?.context).toHaveLength(9);
  expect(frame?.data?.raw?.filename).toContain('/assets/main-');
  expect(frame?.inApp).toBe(true);
  expect(stored.symbolication).toEqual({ mapped: 3, unresolved: 0 });
});

test('sentry-cli 2 uploads as well', async () => {
  const dir = await built({ build: 'version 2' });
  const second = (words: string) => sentryCli(words.split(' '), dir, settings, 2);
  expect((await second('--version')).output).toMatch(/^sentry-cli 2\./);
  await second('sourcemaps inject assets');
  expect(await second('sourcemaps upload --wait .')).toMatchObject({ code: 0 });
  const { event } = await throwIn(dir);
  await sendEvent(server, event);
  expect((await mapped(event.event_id)).stacks.map((frames) => frames.map(readFrame))).toEqual([original]);
});

test('a second upload of the same sends no chunk', async () => {
  const dir = await built({ build: 'twice' });
  await cli(dir, 'sourcemaps inject assets');
  expect((await cli(dir, 'sourcemaps upload --wait .')).output).not.toContain('Nothing to upload');
  const again = await cli(dir, 'sourcemaps upload --wait .');
  expect(again).toMatchObject({ code: 0, output: expect.stringContaining('Nothing to upload') });
});

describe('without debug ids, by release, dist and address', () => {
  test.each([
    ['--release shop@1', { release: 'shop@1' }, ''],
    ['--release shop@2 --dist 7', { release: 'shop@2', dist: '7' }, ''],
    ['--release shop@3 --url-prefix ~/static/v3', { release: 'shop@3' }, 'https://shop.example/static/v3'],
    ['--release shop@4 --url-prefix https://cdn.example/v4', { release: 'shop@4' }, 'https://cdn.example/v4'],
  ])('%s', async (words, at, origin) => {
    const dir = await built({ build: words });
    expect(await cli(dir, `sourcemaps upload --wait ${words} .`)).toMatchObject({ code: 0 });
    const { event, debugId } = await throwIn(dir, { ...at, ...(origin !== '' && { origin }) });
    expect(debugId).toBeUndefined();
    await sendEvent(server, event);
    expect((await mapped(event.event_id)).stacks.map((frames) => frames.map(readFrame))).toEqual([original]);
  });

  test('of another release, or another dist, they are not taken, and the frame says so', async () => {
    const dir = await built({ build: 'other' });
    expect(await cli(dir, 'sourcemaps upload --wait --release shop@5 --dist a .')).toMatchObject({ code: 0 });
    for (const at of [{ release: 'shop@6', dist: 'a' }, { release: 'shop@5', dist: 'b' }, { release: 'shop@5' }]) {
      const { event } = await throwIn(dir, at);
      await sendEvent(server, event);
      const stored = await server.until('the event', () => storedEvent(server, event.event_id));
      expect([at, stored.symbolication]).toEqual([at, { mapped: 0, unresolved: 3 }]);
      expect(stored.stacks[0]?.map(({ data }) => data?.unresolved?.code)).toEqual(Array(3).fill('no_artifact'));
    }
  });
});

test('a rebuild with other names and hashes is the same issue', async () => {
  const issues = new Set<string>();
  const names = new Set<string>();
  for (const [build, minify] of [
    ['one', true],
    ['two', true],
    ['three', false],
  ] as const) {
    const dir = await built({ build: `rebuild ${build}`, minify });
    await cli(dir, 'sourcemaps inject assets');
    expect(await cli(dir, 'sourcemaps upload --wait .')).toMatchObject({ code: 0 });
    const { event, url } = await throwIn(dir);
    names.add(url);
    await sendEvent(server, event);
    issues.add((await mapped(event.event_id)).groupID);
  }
  expect(names.size).toBe(3);
  expect(issues.size).toBe(1);
});

test('a map that is none: the frame says what is wrong with it', async () => {
  const dir = await built({ build: 'bad map' });
  await cli(dir, 'sourcemaps inject assets');
  const assets = join(dir, 'assets');
  const map = (await readdir(assets)).find((file) => file.endsWith('.map')) ?? '';
  const text = JSON.parse(await readFile(join(assets, map), 'utf8')) as Record<string, unknown>;
  // --no-rewrite sends it as it is.
  await writeFile(join(assets, map), JSON.stringify({ ...text, mappings: 'AAAA;!!' }));
  await cli(dir, 'sourcemaps upload --wait --no-rewrite .');
  const { event } = await throwIn(dir);
  await sendEvent(server, event);
  const stored = await server.until('the event', () => storedEvent(server, event.event_id));
  expect(stored.stacks[0]?.at(-1)?.data?.unresolved).toMatchObject({
    code: 'map_invalid',
    detail: expect.stringMatching(/mappings/),
  });
});

test('what is wrong is said in a sentence: token, organisation, project', async () => {
  const dir = await built({ build: 'wrong' });
  const upload = 'sourcemaps upload --wait --release shop@9 .';
  const wrong = async (change: Readonly<Record<string, string>>) => cli(dir, upload, { ...settings, ...change });
  const stranger = `sntryu_${'0'.repeat(64)}`;
  expect(await wrong({ SENTRY_AUTH_TOKEN: stranger })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^ *sentry reported an error: [a-z].*token.*\(http status: 401\)/im),
  });
  expect(await wrong({ SENTRY_ORG: 'nobody' })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/organi[sz]ation/i),
  });
  expect(await wrong({ SENTRY_PROJECT: 'nothing' })).toMatchObject({
    code: 1,
    output: expect.stringContaining('organisation has no project "nothing"'),
  });
});

test('an organisation token alone: it carries the address and the organisation', async () => {
  const dir = await built({ build: 'org token' });
  await cli(dir, 'sourcemaps inject assets');
  const token = await organizationToken(server);
  const upload = await cli(dir, 'sourcemaps upload --wait .', {
    SENTRY_AUTH_TOKEN: token,
    SENTRY_PROJECT: server.installed.project,
  });
  expect(upload).toMatchObject({ code: 0 });
  const { event } = await throwIn(dir);
  await sendEvent(server, event);
  expect((await mapped(event.event_id)).symbolication).toEqual({ mapped: 3, unresolved: 0 });
});

test('the client that follows sentry-cli shows an issue with its status, and makes a project', async () => {
  const id = newEventId();
  await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body: errorEnvelope(id) });
  const { groupID } = await server.until('the event', () => storedEvent(server, id));
  const issue = await server.api<{ shortId: string }>(`/issues/${groupID}/`);
  const { output } = await sentry(['issue', 'view', `acme/${issue.shortId}`], server);
  expect(output).toMatch(/Status\W+Unresolved/);
  expect(output).not.toContain('Unknown');
  const made = await sentry(['project', 'create', 'acme/pocket:node', '--json'], server);
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('pocket') });
  expect((await sentry(['auth', 'whoami'], server)).output).toContain('owner@example.com');
});
