/** A deleted project leaves nothing; uploads that nobody finishes do not stay, and have a bound. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBundle, sha1 } from '../../src/domains/artifacts/testing/bundle.ts';
import { culprit, envelopeUrl, errorEnvelope, newEventId, owner, Server } from '../harness.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const mib = 1024 * 1024;
const limitMib = 24;

let server: Server;
let builds: string;
beforeAll(async () => {
  server = await Server.create({ CULPRIT_MAX_UNASSEMBLED_BYTES: `${limitMib}m` }, { clock: true });
  const words = ['token', 'create', '--user', owner.email, '--scopes', 'project:releases', '--json'];
  const { stdout } = await culprit(words, { CULPRIT_DATA_DIR: server.dataDir });
  builds = (JSON.parse(stdout) as { token: string }).token;
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** Paths of blobs below a folder. */
async function blobsBelow(folder: string): Promise<string[]> {
  const root = join(server.dataDir, 'blobs', folder);
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** Those that were kept of a project, whatever day it was. */
const keptOf = async (projectId: string): Promise<string[]> =>
  (await blobsBelow('items')).filter((path) => path.split('/').includes(projectId));

async function newProject(name: string): Promise<{ id: string; slug: string; dsn: string }> {
  const path = `/organizations/${server.installed.organization}/projects/`;
  return server.api(path, { method: 'POST', body: JSON.stringify({ name }) });
}

/** An event with binary files, which lie in the blob store. */
async function attach(dsn: string): Promise<void> {
  const id = newEventId();
  const parts: Uint8Array[] = [Buffer.from(errorEnvelope(id))];
  for (const filename of ['core.dmp', 'screenshot.png']) {
    const bytes = randomBytes(2_000);
    const header = { type: 'attachment', length: bytes.length, filename };
    parts.push(Buffer.from(`${JSON.stringify(header)}\n`), bytes, Buffer.from('\n'));
  }
  await fetch(envelopeUrl(dsn), { method: 'POST', body: Buffer.concat(parts) });
}

function request(method: string, path: string, init: RequestInit = {}, token = server.installed.token) {
  return fetch(`${server.url}/api/0${path}`, {
    ...init,
    method,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });
}

const organization = (): string => `/organizations/${server.installed.organization}`;

async function uploadChunk(bytes: Uint8Array, token = builds): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(bytes)]), createHash('sha1').update(bytes).digest('hex'));
  return request('POST', `${organization()}/chunk-upload/`, { body: form }, token);
}

async function uploadBundle(project: string): Promise<void> {
  const bundle = makeBundle();
  expect((await uploadChunk(bundle)).status).toBe(200);
  const checksum = sha1(bundle);
  const body = JSON.stringify({ checksum, chunks: [checksum], projects: [project] });
  await server.until('the bundle is indexed', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await request('POST', `${organization()}/artifactbundle/assemble/`, { body, headers }, builds);
    return ((await answer.json()) as { state: string }).state === 'ok';
  });
}

describe.sequential('deleting a project', () => {
  let gone: { id: string; slug: string; dsn: string };
  let stays: { id: string; slug: string; dsn: string };

  test('its attachments and its bundles go with it, those of another stay', async () => {
    [gone, stays] = [await newProject('Gone'), await newProject('Stays')];
    await attach(gone.dsn);
    await attach(stays.dsn);
    await uploadBundle(gone.slug);
    await server.drained();
    expect([(await keptOf(gone.id)).length, (await keptOf(stays.id)).length]).toEqual([2, 2]);
    expect(await blobsBelow('artifacts/bundles')).toHaveLength(1);

    // What is on its way at that moment.
    const late = Array.from({ length: 20 }, () => attach(gone.dsn));
    const path = `/projects/${server.installed.organization}/${gone.slug}/`;
    const member = await request('DELETE', path, {}, builds);
    const [before, deleted] = [await keptOf(gone.id), await request('DELETE', path)];
    expect([member.status, before.length >= 2, deleted.status]).toEqual([403, true, 204]);
    for (const file of before) expect(await keptOf(gone.id)).not.toContain(file);
    expect(await keptOf(stays.id)).toHaveLength(2);
    await server.until('the bundle is gone', async () => (await blobsBelow('artifacts/bundles')).length === 0);
    await Promise.all(late);
    await server.drained();
  });

  test('what a thread kept that still knew it goes minutes later, also when the server was killed in between', async () => {
    // As a thread writes it that was at work when the project was deleted.
    const day = join(server.dataDir, 'blobs/items', new Date(server.now()).toISOString().slice(0, 10), gone.id);
    await mkdir(day, { recursive: true });
    await writeFile(join(day, '1-0-0'), 'late');
    await server.kill();
    await server.moveClock(3 * minuteMs);
    await server.start();
    // At the start, not a minute later.
    await server.until('nothing is left', async () => (await keptOf(gone.id)).length === 0, 30_000);
    expect(await keptOf(stays.id)).toHaveLength(2);
  });

  test('no lookup file of its source maps is there a day later', async () => {
    await server.stop();
    await server.moveClock(24 * hourMs);
    await server.start();
    await server.until('the lookup files are gone', async () => (await blobsBelow('artifacts/lookups')).length === 0);
  });
});

describe.sequential('uploads that nobody finishes', () => {
  const chunk = (): Buffer => randomBytes(8 * mib);
  const waiting = (): Promise<string[]> => blobsBelow('artifacts/chunks');

  test('have a bound, which a sentence names', async () => {
    const sent = await Promise.all(Array.from({ length: 6 }, () => uploadChunk(chunk())));
    const refused = sent.filter(({ status }) => status !== 200);
    expect(sent.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(3);
    expect(refused[0]?.headers.get('retry-after')).toBe('600');
    expect(await refused[0]?.json()).toMatchObject({
      code: 'CHUNKS_FULL',
      detail: expect.stringMatching(/24 MiB \(CULPRIT_MAX_UNASSEMBLED_BYTES\).*expire after 12 hours/),
    });
    for (let more = 0; more < 4; more++) await uploadChunk(chunk());
    expect((await waiting()).length).toBeLessThanOrEqual(3 + 1);
    expect((await uploadChunk(randomBytes(10))).status).toBe(429);
  });

  test('hold up nothing on their connection when they are refused', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const boundary = 'xxxxxxxx';
    const body = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\ncontent-type: application/octet-stream\r\n\r\n`,
      ),
      randomBytes(mib),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const send = async (method: string, path: string, headers: Record<string, string>, sent?: Buffer) => {
      const call = httpRequest(`${server.url}/api/0${path}`, {
        agent,
        method,
        headers: { authorization: `Bearer ${builds}`, ...headers },
      });
      call.end(sent);
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      await answer.resume().toArray();
      return answer.statusCode;
    };
    const type = `multipart/form-data; boundary=${boundary}`;
    const refusals: (number | undefined)[] = [];
    for (let round = 0; round < 3; round++) {
      refusals.push(
        await send(
          'POST',
          `${organization()}/chunk-upload/`,
          { 'content-type': type, 'content-length': String(body.length) },
          body,
        ),
        await send('GET', `${organization()}/chunk-upload/`, {}),
      );
    }
    expect(refusals).toEqual([429, 200, 429, 200, 429, 200]);
    agent.destroy();
  }, 20_000);

  test('are deleted within a day, and make room', async () => {
    await server.stop();
    await server.moveClock(23 * hourMs);
    await server.start();
    await server.until('the chunks are gone', async () => (await waiting()).length === 0);
    expect((await uploadChunk(randomBytes(10))).status).toBe(200);
  });

  test('nobody else may upload', async () => {
    const strangers = [await uploadChunk(randomBytes(10), 'nonsense'), await uploadChunk(randomBytes(10), '')];
    expect(strangers.map(({ status }) => status)).toEqual([401, 401]);
  });
});
