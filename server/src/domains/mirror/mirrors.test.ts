/** Mirrors against a real server that answers as others do: well, slowly, with limits, or not at all. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseAllowList } from '../../base/outbound/index.ts';
import { textBox } from '../../base/secrets/index.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import { createFailures } from '../../base/self/index.ts';
import type { MirroredHead } from '../../ingest/index.ts';
import { onSqlite } from '../../ports/state/testing/databases.ts';
import type { State } from '../../ports/state/state.ts';
import { createProject } from '../projects/index.ts';
import { createMirrors, type Mirrors, readTarget } from './index.ts';
import { openReceiver, readSeen, type Receiver } from './testing.ts';

const box = textBox(testSecrets.box('stored secret'));

const head = (more: Partial<MirroredHead> = {}): MirroredHead => ({
  kind: 'envelope',
  receivedAt: Date.now(),
  encoding: '',
  categories: ['error'],
  ...more,
});

const envelope = (name: string, header: object = {}): Buffer =>
  Buffer.from(`${JSON.stringify({ event_id: name, ...header })}\n{"type":"event"}\n{"message":"${name}"}\n`);

onSqlite('mirrors', (databases) => {
  let state: State;
  let dataDir: string;
  let receiver: Receiver;
  let projectId: number;
  let mirrors: Mirrors;
  let stop: AbortController;
  const failed: unknown[] = [];

  const open = (limitBytes = 2 ** 24): Mirrors => {
    stop = new AbortController();
    return createMirrors({
      state,
      box,
      recordBox: testSecrets.boxSetup('log record'),
      dataDir,
      limitBytes,
      getId: () => 'here',
      allow: parseAllowList('127.0.0.1'),
      failures: createFailures({ logger: { error: (...all: unknown[]) => void failed.push(all) } }),
    });
  };
  const close = async (): Promise<void> => {
    stop.abort();
    await mirrors.job.close?.();
  };
  const context = () => ({ node: 'one', leaseMs: 1_000, isFresh: false, signal: stop.signal });
  const targetOf = (host: string) => readTarget(`http://${'b'.repeat(32)}@${host}/7`, '');
  const found = async () => {
    const mirror = await mirrors.find(projectId);
    if (!mirror) throw new Error('there is no mirror');
    return mirror;
  };
  /** Runs the job as its loop does until it is so. */
  const until = async (what: () => unknown): Promise<void> => {
    for (let n = 0; n < 200; n += 1) {
      await mirrors.job.run(context());
      if (await what()) return;
      await delay(30);
    }
    expect(await found(), 'it never came about').toBe(undefined);
  };

  beforeEach(async () => {
    state = await databases.migrated();
    await state.db
      .insertInto('organization')
      .values({ id: 'acme', name: 'acme', slug: 'acme', logo: null, metadata: null, createdAt: new Date() })
      .execute();
    projectId = (await createProject(state, { organizationId: 'acme', name: 'Web' })).project.id;
    dataDir = await mkdtemp(join(tmpdir(), 'culprit-mirrors-'));
    receiver = await openReceiver();
    mirrors = open();
    await mirrors.set(state, { projectId, target: targetOf(receiver.host), enabled: true });
  });
  afterEach(async () => {
    await close();
    await receiver[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true });
    expect(failed.splice(0)).toEqual([]);
  });

  test('bytes, encoding and sender are those that came; key, hops and the DSN of the header are another', async () => {
    const gzipped = gzipSync(envelope('one'));
    const sender = {
      userAgent: 'Mozilla/5.0 (X11)',
      clientHints: { 'sec-ch-ua-platform': '"Linux"' },
      origin: 'https://shop.example',
      remoteAddress: '192.0.2.7',
      client: 'sentry.javascript.react/10.1.0',
      contentType: 'text/plain;charset=UTF-8',
    };
    mirrors.add(projectId, head({ encoding: 'gzip', ...sender }), gzipped);
    const dsn = `http://${'a'.repeat(32)}@culprit.example/1`;
    const sentAt = '2026-11-26T10:00:00.000Z';
    const zipped = gzipSync(envelope('two', { dsn, sent_at: sentAt }));
    mirrors.add(projectId, head({ encoding: 'gzip', hasDsn: true, hops: 'there' }), zipped);
    mirrors.add(projectId, head({ hasDsn: true, client: 'evil\r\nx: y' }), envelope('three', { dsn, sent_at: sentAt }));
    await until(() => receiver.seen.length === 3);
    const [one, two, three] = ['one', 'two', 'three'].map((name) => {
      const seen = receiver.seen.find((each) => readSeen(each).header['event_id'] === name);
      if (!seen) throw new Error(name);
      return seen;
    });
    expect(one).toMatchObject({
      url: '/api/7/envelope/',
      headers: {
        'content-encoding': 'gzip',
        'content-type': 'text/plain;charset=UTF-8',
        'user-agent': 'Mozilla/5.0 (X11)',
        'sec-ch-ua-platform': '"Linux"',
        origin: 'https://shop.example',
        'x-forwarded-for': '192.0.2.7',
        'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${'b'.repeat(32)}, sentry_client=sentry.javascript.react/10.1.0`,
        'x-culprit-mirror': 'here',
      },
    });
    expect(one?.body.equals(gzipped)).toBe(true);
    const theirs = `http://${'b'.repeat(32)}@${receiver.host}/7`;
    expect(two && readSeen(two)).toEqual({
      header: { event_id: 'two', dsn: theirs, sent_at: sentAt },
      rest: '{"type":"event"}\n{"message":"two"}\n',
    });
    expect(two?.headers).toMatchObject({ 'content-encoding': 'gzip', 'x-culprit-mirror': 'there, here' });
    expect(three && readSeen(three).header).toMatchObject({ dsn: theirs, sent_at: sentAt });
    expect(three?.headers['x-sentry-auth']).not.toContain('client');
    await until(async () => (await found()).forwarded === 3);
    expect(await found()).toMatchObject({ refused: 0, dropped: 0, failingSince: null, problem: '' });
  });

  test('a target that is down is waited for, and gets all of it once it is back, also after a restart', async () => {
    await receiver.close();
    for (let n = 0; n < 150; n += 1) mirrors.add(projectId, head(), envelope(`e${n}`));
    await until(async () => (await found()).failingSince !== null);
    expect((await found()).problem).toContain('ECONNREFUSED');
    expect(mirrors.backlog(projectId)).toMatchObject({ records: 150 });
    expect(mirrors.backlog(projectId).pausedUntilMs).toBeGreaterThan(Date.now());
    await close();
    await receiver.open();
    mirrors = open();
    await until(() => receiver.seen.length >= 150);
    await until(async () => (await found()).forwarded === 150);
    expect(new Set(receiver.seen.map((seen) => readSeen(seen).header['event_id'])).size).toBe(150);
    expect(await found()).toMatchObject({ failingSince: null, problem: '', refused: 0, dropped: 0 });
    expect(mirrors.backlog(projectId)).toMatchObject({ records: 0, bytes: 0 });
  });

  test('what a stop leaves of a batch comes alone with the next start', async () => {
    let answered = 0;
    receiver.reply = async () => {
      answered += 1;
      if (answered > 10) await delay(50);
      return { status: 200 };
    };
    for (let n = 0; n < 60; n += 1) mirrors.add(projectId, head(), envelope(`e${n}`));
    await until(() => answered > 12);
    await close();
    mirrors = open();
    await until(async () => (await found()).forwarded === 60);
    expect(receiver.seen.map((seen) => readSeen(seen).header['event_id']).toSorted()).toEqual(
      Array.from({ length: 60 }, (_, n) => `e${n}`).toSorted(),
    );
  });

  test('what the target refuses is counted with its answer, and the rest goes on', async () => {
    receiver.reply = ({ body }) =>
      body.includes('bad') ? { status: 400, body: '{"detail":"no such thing"}' } : { status: 200 };
    for (const name of ['good1', 'bad1', 'good2', 'bad2']) mirrors.add(projectId, head(), envelope(name));
    await until(async () => (await found()).forwarded === 2 && (await found()).refused === 2);
    expect(await found()).toMatchObject({ refusal: '400: {"detail":"no such thing"}', failingSince: null });
    receiver.reply = () => ({ status: 403, body: '{"detail":"unknown key"}' });
    mirrors.add(projectId, head(), envelope('bad3'));
    await until(async () => (await found()).refused === 3);
    // It takes nothing at all, as one that is away does.
    expect((await found()).failingSince).not.toBeNull();
  });

  test('rate limits hold back what they name: short ones for a while, long ones for good', async () => {
    receiver.reply = ({ body }) =>
      body.includes('first')
        ? { status: 429, headers: { 'retry-after': '1', 'x-sentry-rate-limits': '1:error:key, 7200:transaction:key' } }
        : { status: 200 };
    mirrors.add(projectId, head(), envelope('first'));
    await until(() => receiver.seen.length === 1);
    const began = Date.now();
    receiver.reply = () => ({ status: 200 });
    mirrors.add(projectId, head({ categories: ['transaction'] }), envelope('transaction'));
    mirrors.add(projectId, head({ categories: ['transaction', 'error'] }), envelope('both'));
    mirrors.add(projectId, head({ categories: [] }), envelope('report'));
    await until(async () => (await found()).forwarded === 3);
    expect(Date.now() - began).toBeGreaterThan(700);
    expect(await found()).toMatchObject({ refused: 1, refusal: 'rate limit for transaction' });
    expect(
      receiver.seen
        .slice(1)
        .map((seen) => readSeen(seen).header['event_id'])
        .toSorted(),
    ).toEqual(['both', 'first', 'report']);
  });

  test('an endpoint that a target lacks is not asked again for each request', async () => {
    receiver.reply = ({ url }) => ({ status: url.includes('/otlp/') ? 404 : 200 });
    for (let n = 0; n < 20; n += 1) mirrors.add(projectId, head({ kind: 'traces' }), Buffer.from('{}'));
    mirrors.add(projectId, head({ kind: 'security', query: 'sentry_release=1' }), Buffer.from('{}'));
    await until(async () => (await found()).refused === 20 && (await found()).forwarded === 1);
    const urls = receiver.seen.map(({ url }) => url);
    expect(urls.filter((url) => url === '/api/7/integration/otlp/v1/traces').length).toBeLessThanOrEqual(4);
    expect(urls).toContain(`/api/7/security/?sentry_key=${'b'.repeat(32)}&sentry_release=1`);
  });

  test('what is too old or finds no room is dropped and counted', async () => {
    await close();
    mirrors = open(40_000);
    await mirrors.set(state, { projectId, target: targetOf(receiver.host), enabled: false });
    mirrors.add(projectId, head({ receivedAt: Date.now() - 25 * 3_600_000 }), envelope('old'));
    for (let n = 0; n < 60; n += 1)
      mirrors.add(projectId, head(), Buffer.concat([envelope(`e${n}`), Buffer.alloc(1_000)]));
    await until(async () => (await found()).dropped > 0);
    const { dropped } = await found();
    expect(receiver.seen).toEqual([]);
    await mirrors.set(state, { projectId, target: targetOf(receiver.host), enabled: true });
    await until(async () => (await found()).forwarded + dropped === 60);
    expect(await found()).toMatchObject({ dropped: dropped + 1 });
    expect(dropped).toBeGreaterThan(15);
  });

  test('of one that is removed nothing is left', async () => {
    await receiver.close();
    mirrors.add(projectId, head(), envelope('one'));
    await until(async () => (await found()).problem !== '');
    await mirrors.remove(state, projectId);
    await mirrors.job.run(context());
    expect(await readdir(join(dataDir, 'mirrors'))).toEqual([]);
  });

  test('says what a test event was answered with', async () => {
    receiver.reply = () => ({ status: 200, body: '{"id":"1"}' });
    const target = targetOf(receiver.host);
    expect(await mirrors.test(target, 'web')).toMatchObject({ accepted: true, answer: '200: {"id":"1"}' });
    receiver.reply = () => ({ status: 302, headers: { location: 'https://elsewhere.example/' } });
    expect(await mirrors.test(target, 'web')).toMatchObject({
      accepted: false,
      answer: '302: redirects to https://elsewhere.example/',
    });
    await receiver.close();
    expect(await mirrors.test(target, 'web')).toMatchObject({ accepted: false });
    // Where it may not go it does not go.
    expect((await mirrors.test(targetOf('127.0.0.2:9'), 'web')).answer).toContain('CULPRIT_OUTBOUND_ALLOW');
  });
});

test('a DSN is read with care', () => {
  const read = (dsn: string) => () => readTarget(dsn, 'https://culprit.example');
  for (const dsn of [
    '',
    'ftp://key@sentry.example/1',
    'https://sentry.example/1',
    'https://key@sentry.example/',
    'https://k%20y@sentry.example/1',
    'https://key@sentry.example/..%2f',
    'https://key@culprit.example/2',
    'https://key@CULPRIT.example:443/2',
  ]) {
    expect(read(dsn), dsn).toThrow(/dsn/);
  }
  expect(read('https://key:secret@sentry.example:8443/a/b/4505123456789012345 ')()).toEqual({
    dsn: 'https://key@sentry.example:8443/a/b/4505123456789012345',
    base: 'https://sentry.example:8443/a/b',
    host: 'sentry.example:8443',
    publicKey: 'key',
    projectId: '4505123456789012345',
  });
});
