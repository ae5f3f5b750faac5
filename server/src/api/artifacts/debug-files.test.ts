/** Debug files over HTTP, as clients send them. */
import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeZip, sha1, type ZipFile } from '../../domains/artifacts/testing/bundle.ts';
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

const url = '/api/0/projects/acme/web/files/dsyms/';
const mapping = 'com.example.Cart -> a.b:\n    1:1:void order():6:6 -> a\n';

function sendZip(files: Iterable<ZipFile> | Buffer, head = Buffer.alloc(0)): Promise<LightMyRequestResponse> {
  return sendFile(url, 'mappings.zip', Buffer.isBuffer(files) ? files : makeZip(files, { head }));
}

function sendFile(to: string, name: string, content: Buffer): Promise<LightMyRequestResponse> {
  const boundary = `----${randomUUID()}`;
  const disposition = `Content-Disposition: form-data; name="file"; filename="${name}"`;
  const start = `--${boundary}\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const payload = Buffer.concat([Buffer.from(start), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return api.call({ method: 'POST', url: to, token, payload, headers });
}

const list = async (query = ''): Promise<{ id: string; debugId: string; state: string; detail: string | null }[]> =>
  (await api.call({ method: 'GET', url: `${url}?query=${query}`, token })).json();

test('a zip of mappings, as sentry-cli 2 sends it', async () => {
  const [one, two] = [randomUUID(), randomUUID()];
  const answer = await sendZip([
    { name: `proguard/${one}.txt`, content: mapping, deflate: true },
    { name: `proguard/${two}.txt`, content: `${mapping}# two\n`, deflate: true },
    { name: 'README.md', content: 'no mapping' },
  ]);
  expect(answer.statusCode).toBe(200);
  expect(
    answer
      .json()
      .map(({ uuid }: { uuid: string }) => uuid)
      .toSorted(),
  ).toEqual([one, two].toSorted());
  await api.indexer.idle();
  expect(await list(one)).toMatchObject([{ debugId: one, state: 'ok', symbolType: 'proguard', entries: 1 }]);
  const [file] = await list(one);
  const removed = await api.call({ method: 'DELETE', url: `${url}?id=${file?.id}`, token });
  expect(removed.statusCode).toBe(204);
  expect(await list(one)).toEqual([]);
  expect((await api.call({ method: 'DELETE', url: `${url}?id=${file?.id}`, token })).statusCode).toBe(404);
});

test.each<[string, Iterable<ZipFile> | Buffer, RegExp]>([
  ['no zip', Buffer.from('nonsense'), /not a supported zip/],
  ['nothing', Buffer.alloc(0), /zip/],
  ['no mapping in it', [{ name: 'a.txt', content: 'x' }], /no proguard\/UUID\.txt/],
  ['a path that leads out', [{ name: `../../proguard/${randomUUID()}.txt`, content: mapping }], /zip/],
  ['another folder', [{ name: `x/proguard/${randomUUID()}.txt`, content: mapping }], /no proguard\/UUID\.txt/],
  [
    'a bomb',
    [{ name: `proguard/${randomUUID()}.txt`, content: Buffer.alloc(10), deflate: true, bytes: 500 * 1024 * 1024 }],
    /zip bomb/,
  ],
  [
    'a size that is a lie',
    [{ name: `proguard/${randomUUID()}.txt`, content: mapping, deflate: true, bytes: 5 }],
    /size|damaged/,
  ],
  [
    'an encrypted file',
    [{ name: `proguard/${randomUUID()}.txt`, content: mapping, deflate: true, flags: 1 }],
    /encrypted/,
  ],
])('%s is refused in a sentence', async (_what, files, reason) => {
  const answer = await sendZip(files);
  expect(answer.statusCode).toBe(400);
  expect(answer.json().detail).toMatch(reason);
});

test('what is no zip and no upload of parts, and who may not', async () => {
  const plain = await api.call({ method: 'POST', url, token, payload: { a: 1 } });
  expect(plain.statusCode).toBe(400);
  const reader = await api.makeToken('project:read');
  const refused = await api.call({ method: 'POST', url, token: reader, payload: { a: 1 } });
  expect(refused.statusCode).toBe(403);
});

test('by chunks: the state of each file is told, and what is wrong with it', async () => {
  const assemble = async (files: object) =>
    (
      await api.call({ method: 'POST', url: '/api/0/projects/acme/web/files/difs/assemble/', token, payload: files })
    ).json() as Record<string, { state: string; missingChunks: string[]; detail?: string }>;
  const bytes = Buffer.from(`${mapping}# ${randomUUID()}\n`);
  const checksum = sha1(bytes);
  const name = `/proguard/${randomUUID()}.txt`;
  expect(await assemble({ [checksum]: { name, chunks: [checksum] } })).toMatchObject({
    [checksum]: { state: 'not_found', missingChunks: [checksum] },
  });
  expect((await assemble({ [checksum]: { name: 'libshop.so', chunks: [checksum] } }))[checksum]).toMatchObject({
    state: 'error',
    detail: expect.stringContaining('native debug files'),
  });
  // With its sources, which are what is used of it, an upload ends well.
  const program = Buffer.from(`\u007fELF${randomUUID()}`);
  const [elf, sources, debug_id] = [sha1(program), sha1(Buffer.from(randomUUID())), randomUUID()];
  await sendFile('/api/0/organizations/acme/chunk-upload/', elf, program);
  const one = { [elf]: { name: 'shop', debug_id, chunks: [elf] } };
  expect((await assemble(one))[elf]?.state).toBe('error');
  const both = await assemble({ ...one, [sources]: { name: 'shop', debug_id, chunks: [sources] } });
  expect(both).toMatchObject({ [elf]: { state: 'ok' }, [sources]: { state: 'not_found' } });
  expect(both[elf]?.detail).toContain('The source bundle of this file is used');
});

test('what is there is told by checksum, and downloaded as it was uploaded', async () => {
  const uuid = randomUUID();
  const content = `${mapping}# ${uuid}\n`;
  await sendZip([{ name: `proguard/${uuid}.txt`, content, deflate: true }]);
  await api.indexer.idle();
  const other = sha1(Buffer.from(randomUUID()));
  const query = [sha1(Buffer.from(content)), other].map((one) => `checksums=${one}`).join('&');
  const unknown = await api.call({ method: 'GET', url: `${url}unknown/?${query}`, token });
  expect(unknown.json()).toEqual({ missing: [other] });
  const none = await api.call({ method: 'GET', url: `${url}unknown/`, token });
  expect(none.json()).toEqual({ missing: [] });

  const [file] = await list(uuid);
  const get = (id: string, by = token) => api.call({ method: 'GET', url: `${url}?id=${id}`, token: by });
  const answer = await get(file?.id ?? '');
  expect(answer.body).toBe(content);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${uuid}.txt`,
  });
  expect((await get('999999')).statusCode).toBe(404);
  expect((await get(file?.id ?? '', await api.makeToken('project:read'))).statusCode).toBe(403);
});

test('the release of a mapping is taken, as sentry-cli 2 names it', async () => {
  const answer = await api.call({
    method: 'POST',
    url: '/api/0/projects/acme/web/files/proguard-artifact-releases',
    token,
    payload: { release_name: 'com.example.shop@1.0+7', proguard_uuid: randomUUID() },
  });
  expect(answer.statusCode).toBe(201);
});
