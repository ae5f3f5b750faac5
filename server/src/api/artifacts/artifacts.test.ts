/** Uploads over HTTP, as sentry-cli and the bundler plugins make them. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeBundle, sha1 } from '../../domains/artifacts/testing/bundle.ts';
import { noteUse } from '../../domains/artifacts/index.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi();
  token = await api.makeToken('org:ci');
});
afterAll(() => api[Symbol.asyncDispose]());
afterEach(() => {
  expect(api.errors).toEqual([]);
});

const upload = '/api/0/organizations/acme/chunk-upload/';
const assemble = '/api/0/organizations/acme/artifactbundle/assemble/';
const bundles = '/api/0/projects/acme/web/files/artifact-bundles/';

interface Part {
  readonly name?: string;
  readonly checksum?: string;
  readonly content: Uint8Array;
}

function multipart(parts: readonly Part[]): { payload: Buffer; headers: Record<string, string> } {
  const boundary = `----${randomUUID()}`;
  const pieces = parts.flatMap(({ name = 'file_gzip', checksum, content }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${checksum ?? sha1(content)}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    name === 'file_gzip' ? gzipSync(content) : content,
    Buffer.from('\r\n'),
  ]);
  return {
    payload: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

const post = (url: string, payload: object): Promise<LightMyRequestResponse> =>
  api.call({ method: 'POST', url, token, payload });
const send = (...parts: Part[]): Promise<LightMyRequestResponse> =>
  api.call({ method: 'POST', url: upload, token, ...multipart(parts) });

async function uploadAll(bundle: Buffer, overrides: object = {}): Promise<{ state: string; detail?: string }> {
  const request = { checksum: sha1(bundle), chunks: [sha1(bundle)], projects: ['web'], ...overrides };
  await send({ content: bundle });
  await post(assemble, request);
  await api.indexer.idle();
  return (await post(assemble, request)).json();
}

test('a client is told where and how to upload', async () => {
  expect((await api.call({ method: 'GET', url: upload, token })).json()).toEqual({
    url: 'http://culprit.test/api/0/organizations/acme/chunk-upload/',
    chunkSize: 8 * 1024 * 1024,
    chunksPerRequest: 64,
    maxRequestSize: 32 * 1024 * 1024,
    maxFileSize: 2 ** 31,
    concurrency: 4,
    hashAlgorithm: 'sha1',
    compression: ['gzip'],
    accept: [
      'release_files',
      'artifact_bundles',
      'artifact_bundles_v2',
      'debug_files',
      'proguard',
      'sources',
      'bundle',
    ],
  });
});

test('a bundle in chunks, compressed or not, becomes artifacts', async () => {
  const debugId = randomUUID();
  const bundle = makeBundle([{ name: 'x.js', debugId, text: 'x'.repeat(5000) }]);
  const chunks = [bundle.subarray(0, 4096), bundle.subarray(4096)] as const;
  const request = { checksum: sha1(bundle), chunks: chunks.map(sha1), projects: ['web'], version: 'web@1', dist: '7' };
  expect((await post(assemble, request)).json()).toEqual({ state: 'not_found', missingChunks: chunks.map(sha1) });
  const sent = await send({ content: chunks[0] }, { name: 'file', content: chunks[1] });
  expect([sent.statusCode, sent.body]).toEqual([200, '']);
  expect((await post(assemble, request)).json()).toEqual({ state: 'created', missingChunks: [] });
  await api.indexer.idle();
  expect((await post(assemble, request)).json()).toEqual({ state: 'ok', missingChunks: [] });

  const [listed] = await api.get<Record<string, unknown>[]>(`${bundles}?query=${debugId}`);
  expect(listed).toMatchObject({
    associations: [{ release: 'web@1', dist: '7' }],
    state: 'ok',
    detail: null,
    fileCount: 3,
    projects: ['web'],
    scripts: 1,
    mapped: 1,
    framesResolved: 0,
  });
  const files = `/api/0/projects/acme/web/artifact-bundles/${String(listed?.['bundleId'])}/files/`;
  const { files: before } = await api.get<{ files: { id: string }[] }>(files);
  await noteUse(api.state, new Map([[Number(before[0]?.id), 5]]), Date.now());
  const [file] = await api.get<Record<string, unknown>[]>('/api/0/organizations/acme/releases/web@1/files/');
  expect(file).toMatchObject({
    name: '~/assets/x.js',
    debugId,
    dist: '7',
    mapUrl: '~/assets/x.js.map',
    scriptSize: 5000,
    sources: 1,
    mapped: true,
    problem: null,
    framesResolved: 5,
  });
  const state = await api.get<Record<string, unknown>>('/api/0/projects/acme/web/source-maps/');
  expect(state).toMatchObject({ state: 'ok', bundles: 1, scripts: 1, mapped: 1, framesResolved: 5, indexing: 0 });
});

test('what is wrong with an upload is said by the status and in words', async () => {
  const chunk = Buffer.from('a chunk');
  const wrong = await send({ content: chunk, checksum: 'a'.repeat(40) });
  expect(wrong.json()).toMatchObject({ status: 400, code: 'CHUNK_INVALID' });
  expect(wrong.json<{ detail: string }>().detail).toContain('a'.repeat(40));
  expect((await send({ name: 'files', content: chunk })).json()).toMatchObject({ code: 'INPUT_INVALID' });
  expect((await post(upload, {})).json()).toMatchObject({ code: 'INPUT_INVALID', status: 400 });
  const large = await send({ name: 'file', content: Buffer.alloc(12 * 1024 * 1024) });
  expect(large.json()).toMatchObject({ code: 'CHUNK_INVALID', status: 400 });
  const cut = multipart([{ content: chunk }]);
  const half = await api.call({ method: 'POST', url: upload, token, ...cut, payload: cut.payload.subarray(0, -40) });
  expect(half.statusCode).toBe(400);
  const request = { checksum: sha1(chunk), chunks: [sha1(chunk)], projects: ['nowhere'] };
  expect((await post(assemble, request)).json()).toMatchObject({
    status: 400,
    detail: expect.stringContaining('no project "nowhere"') as string,
  });
  expect((await post(assemble, { ...request, chunks: ['x'] })).statusCode).toBe(400);
});

test('a bundle that is refused says why to the client, and on the project page', async () => {
  const bundle = Buffer.from(`SYSB no zip ${randomUUID()}`);
  const answer = await uploadAll(bundle);
  expect(answer).toMatchObject({
    state: 'error',
    detail: expect.stringContaining('not a supported zip file') as string,
  });
  const state = await api.get<Record<string, unknown>>('/api/0/projects/acme/web/source-maps/');
  expect(state).toMatchObject({ state: 'error', detail: answer.detail });
});

test('debug information files are answered for each, and the client prints the reason', async () => {
  const answer = await post('/api/0/projects/acme/web/files/difs/assemble/', {
    [sha1(Buffer.from('1'))]: { name: 'shop', chunks: [] },
  });
  expect(answer.json()).toEqual({
    [sha1(Buffer.from('1'))]: {
      state: 'error',
      missingChunks: [],
      dif: null,
      detail: expect.stringContaining('native debug files') as string,
    },
  });
});

test('a bundle is listed, paged and deleted', async () => {
  for (const name of ['p1', 'p2', 'p3']) await uploadAll(makeBundle([{ name: `${name}.js` }]), { version: 'page@1' });
  const first = await api.call({ method: 'GET', url: `${bundles}?release=page@1&limit=2` });
  expect(first.json()).toHaveLength(2);
  expect(first.headers['link']).toContain('results="true"; cursor="0:2:0"');
  const next = await api.get<{ bundleId: string }[]>(`${bundles}?release=page@1&limit=2&cursor=0:2:0`);
  expect(next).toHaveLength(1);
  const remove = (id = next[0]?.bundleId, by?: string) =>
    api.call({ method: 'DELETE', url: `${bundles}?bundleId=${id}`, token: by });
  expect((await remove(undefined, await api.makeToken('project:read'))).statusCode).toBe(403);
  expect((await remove()).statusCode).toBe(204);
  expect((await remove()).statusCode).toBe(404);
  expect((await remove('x')).statusCode).toBe(404);
  expect(await api.get<object[]>(`${bundles}?release=page@1`)).toHaveLength(2);
});

// Traffic of real clients, beside the checkout.
const captures = new URL('../../../../../shared/fixtures/captures', import.meta.url).pathname;
const sessions = existsSync(captures)
  ? readdirSync(captures).filter((name) => /^(?:cli-sourcemaps-upload|vite-plugin-upload)/.test(name))
  : [];

describe.skipIf(sessions.length === 0)('recorded uploads (skipped: the recordings are not beside the checkout)', () => {
  test.each(sessions)('%s', async (session) => {
    const dir = join(captures, session);
    const states: string[] = [];
    for (const name of readdirSync(dir).filter((file) => file.endsWith('.http.json'))) {
      const { method, path, headers } = JSON.parse(readFileSync(join(dir, name), 'utf8')) as {
        method: 'GET' | 'POST' | 'PUT';
        path: string;
        headers: [string, string][];
      };
      if (!/chunk-upload|assemble/.test(path)) continue;
      const body = join(dir, name.replace('.http.json', '.body'));
      const answer = await api.call({
        method,
        url: path,
        token,
        headers: Object.fromEntries(headers.filter(([header]) => header === 'content-type')),
        ...(existsSync(body) && { payload: readFileSync(body) }),
      });
      expect(answer.statusCode, `${name}: ${answer.body}`).toBe(200);
      if (path.includes('assemble')) states.push(answer.json<{ state: string }>().state);
      await api.indexer.idle();
    }
    expect(states.at(-1)).toMatch(/^(?:created|ok)$/);
    const [last] = await api.get<{ state: string; detail: string; scripts: number; mapped: number }[]>(bundles);
    expect(last).toMatchObject({ state: 'ok', detail: null });
    expect(last?.mapped).toBeGreaterThan(0);
  });
});
