/** A little that is sent and becomes much: on disk, in memory, and in the project that anybody may send to. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../harness.ts';

interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly notStored: string | null;
}
interface Key {
  readonly id: string;
  readonly blobBytesPerDay: number | null;
  readonly dsn: { readonly public: string };
}
interface Outcomes {
  readonly groups: readonly {
    readonly projectSlug: string;
    readonly category: string;
    readonly outcome: string;
    readonly reason: string;
    readonly total: number;
  }[];
}

const mib = 1024 * 1024;
let server: Server;
let ownDsn: string;

beforeAll(async () => {
  server = await Server.create({ CULPRIT_SELF_REPORT: 'on' });
  const about = (await (await fetch(`${server.url}/api/0/`)).json()) as { consoleDsn?: string };
  ownDsn = about.consoleDsn ?? '';
});
afterAll(() => server?.[Symbol.asyncDispose]());

const projectUrl = (): string => `/projects/${server.installed.organization}/${server.installed.project}`;

/** An error with files, as an SDK sends them. */
function withFiles(eventId: string, files: Readonly<Record<string, Uint8Array>>, header: object = {}): Buffer {
  const [first = '', ...rest] = errorEnvelope(eventId).trimEnd().split('\n');
  const start = JSON.stringify({ ...(JSON.parse(first) as object), ...header });
  return Buffer.concat([
    Buffer.from([start, ...rest].join('\n')),
    ...Object.entries(files).flatMap(([filename, bytes]) => [
      Buffer.from(`\n${JSON.stringify({ type: 'attachment', length: bytes.length, filename })}\n`),
      bytes,
    ]),
  ]);
}

const bombOf = (bytes: number, header: object = {}): Buffer =>
  zstdCompressSync(
    Buffer.concat([
      Buffer.from(
        `${JSON.stringify({ event_id: newEventId(), ...header })}\n{"type":"attachment","length":${bytes}}\n`,
      ),
      Buffer.alloc(bytes),
    ]),
  );

const post = (url: string, body: Uint8Array | string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: typeof body === 'string' ? body : Buffer.from(body), headers });
const zstd = { 'content-encoding': 'zstd' };

/** A little that is much as it is sent: a gzip header may name a file, of any length. */
function paddedGzip(text: string, padding: number): Buffer {
  const plain = gzipSync(text);
  const header = Buffer.from(plain.subarray(0, 10));
  header[3] = 8;
  return Buffer.concat([header, Buffer.alloc(padding, 'a'), Buffer.from([0]), plain.subarray(10)]);
}
const codeOf = async (answer: Response): Promise<string> =>
  `${answer.status} ${((await answer.json()) as { code?: string }).code ?? ''}`.trim();

const attachmentsOf = (eventId: string): Promise<Attachment[]> =>
  server.api<Attachment[]>(`${projectUrl()}/events/${eventId}/attachments/`);
const download = async (eventId: string, { id }: Attachment): Promise<Buffer> => {
  const answer = await fetch(`${server.url}/api/0${projectUrl()}/events/${eventId}/attachments/${id}/?download=1`, {
    headers: { authorization: `Bearer ${server.installed.token}` },
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};

async function filesOf(directory: string): Promise<string[]> {
  // Made with the first file.
  const entries = await readdir(join(server.dataDir, directory), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
async function bytesOf(directory: string): Promise<number> {
  const sizes = await Promise.all((await filesOf(directory)).map(async (path) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function outcomes(project: string): Promise<Record<string, number>> {
  const { groups } = await server.api<Outcomes>(
    `/organizations/${server.installed.organization}/outcomes/?project=${project}`,
  );
  const ofProject = groups.filter(({ projectSlug }) => projectSlug === project);
  return Object.fromEntries(
    ofProject.map(({ category, outcome, reason, total }) => [`${category} ${outcome}:${reason}`, total]),
  );
}
const counted = (project: string, name: string, times = 1): Promise<boolean> =>
  server.until(`${name} is counted`, async () => ((await outcomes(project))[name] ?? 0) >= times);

/** Most that the server ever held since `forgetPeak`, bytes. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
const forgetPeak = (): Promise<void> => writeFile(`/proc/${server.pid}/clear_refs`, '5');

async function setLimits(change: object): Promise<void> {
  const [key] = await server.api<Key[]>(`${projectUrl()}/keys/`);
  await server.api(`${projectUrl()}/keys/${key?.id}/`, { method: 'PUT', body: JSON.stringify(change) });
}

describe('what inflates', () => {
  test('195 MiB in 6 kB are refused, from a stranger and with a key, and nothing reaches the disk', async () => {
    const before = await bytesOf('blobs');
    for (const [url, header] of [
      [`${server.url}/monitoring`, { dsn: ownDsn }],
      [`${server.url}/monitoring`, { dsn: server.installed.dsn }],
      [envelopeUrl(ownDsn), {}],
      [envelopeUrl(server.installed.dsn), {}],
    ] as const) {
      const bomb = bombOf(195 * mib, header);
      expect(bomb.length).toBeLessThan(7_000);
      expect(await codeOf(await post(url, bomb, zstd))).toMatch(/^413 BODY_(RATIO|TOO_LARGE)$/);
    }
    await server.drained();
    expect((await bytesOf('blobs')) - before).toBe(0);
    await counted(server.installed.project, 'attachment invalid:too_large', 2);
  });

  test('ten at once take no memory', async () => {
    await forgetPeak();
    const before = await peak();
    const bomb = bombOf(195 * mib);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(envelopeUrl(server.installed.dsn), bomb, zstd)),
    );
    expect(await Promise.all(answers.map(codeOf))).toEqual(Array.from({ length: 10 }, () => '413 BODY_RATIO'));
    await server.drained();
    expect((await peak()) - before).toBeLessThan(100 * mib);
  });

  test('large files that are none of these are stored one at a time, and compressed', async () => {
    const before = await bytesOf('blobs');
    await forgetPeak();
    const memoryBefore = await peak();
    // Noise enough that the ratio holds.
    const file = Buffer.concat([randomBytes(2 * mib), Buffer.alloc(148 * mib)]);
    const eventIds = Array.from({ length: 4 }, newEventId);
    for (const eventId of eventIds) {
      const body = zstdCompressSync(withFiles(eventId, { 'core.dmp': file }));
      expect((await post(envelopeUrl(server.installed.dsn), body, zstd)).status).toBe(200);
    }
    await server.drained();
    expect((await bytesOf('blobs')) - before).toBeLessThan(4 * 3 * mib);
    // A file and a half: were two of them there at a time, it would be more.
    expect((await peak()) - memoryBefore).toBeLessThan(300 * mib);
    const [stored] = await attachmentsOf(eventIds[3] ?? '');
    expect(stored).toMatchObject({ name: 'core.dmp', size: file.length, notStored: null });
  });

  test('what SDKs send passes, however repetitive', async () => {
    const items = Array.from({ length: 8_000 }, () => ({
      timestamp: Date.now() / 1000,
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      level: 'info',
      body: 'worker idle, nothing to do',
      attributes: { 'server.address': { value: 'web-1', type: 'string' } },
    }));
    const header = { type: 'log', item_count: items.length, content_type: 'application/vnd.sentry.items.log+json' };
    const body = gzipSync(`{}\n${JSON.stringify(header)}\n${JSON.stringify({ items })}\n`);
    const answer = await post(envelopeUrl(server.installed.dsn), body, { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(200);
  });
});

describe('a body that is too large', () => {
  /** What is answered to a head and so many bytes of a body that goes on. */
  const begin = (url: string, headers: Record<string, string>, bytes = 0): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => {
          sent.destroy();
          resolve(`${answer.statusCode} ${(JSON.parse(text) as { code?: string }).code}`);
        });
      });
      // Long before the rest is given up.
      sent.setTimeout(10_000, () => sent.destroy(new Error('the rest is waited for'))).on('error', reject);
      sent.flushHeaders();
      if (bytes > 0) sent.write(randomBytes(bytes));
    });

  test.each([
    ['any key', () => envelopeUrl(server.installed.dsn), 20 * mib],
    ['the tunnel', () => `${server.url}/monitoring`, 20 * mib],
    ['the key that stands in every page', () => envelopeUrl(ownDsn), mib],
  ])('is refused as soon as that is known: by %s', async (_by, url, most) => {
    for (const bytes of [most + 1, 2 ** 40]) {
      expect(await begin(url(), { 'content-length': String(bytes) })).toBe('413 BODY_TOO_LARGE');
    }
    expect(await begin(url(), { 'transfer-encoding': 'chunked' }, most + 1)).toBe('413 BODY_TOO_LARGE');
  });

  test('is refused as soon as that is known: by a token that may upload', async () => {
    const url = `${server.url}/api/0/organizations/${server.installed.organization}/chunk-upload/`;
    const headers = {
      authorization: `Bearer ${server.installed.token}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(34 * mib),
    };
    expect(await begin(url, headers)).toBe('413 BODY_TOO_LARGE');
  });
});

describe('files of text', () => {
  const secret = 'hunter2-and-more';
  /** 3.2 MB with the secret at every border that storing it may have. */
  const log = Buffer.from(
    Array.from({ length: 800 }, (_, index) => `${'line of a log\n'.repeat(280 + (index % 11))}password=${secret}\n`)
      .join('')
      .slice(0, 3_200_000),
  );

  test('above 1 MiB are not stored; their event says so', async () => {
    const eventId = newEventId();
    const body = withFiles(eventId, { 'app.log': log, 'small.log': Buffer.from(`token=${secret}`) });
    expect((await post(envelopeUrl(server.installed.dsn), body)).status).toBe(200);
    await server.drained();
    const found = await attachmentsOf(eventId);
    const refused = found.find(({ name }) => name === 'app.log');
    expect(refused?.notStored).toBe(
      'Attachment app.log was not stored: 3.2 MB of text exceeds 1 MiB; the project can allow more.',
    );
    const small = found.find(({ name }) => name === 'small.log');
    expect(small && (await download(eventId, small)).toString()).toBe('token=[Filtered]');
    const bytes = await fetch(
      `${server.url}/api/0${projectUrl()}/events/${eventId}/attachments/${refused?.id}/?download=1`,
      { headers: { authorization: `Bearer ${server.installed.token}` } },
    );
    expect(await codeOf(bytes)).toBe('404 ATTACHMENT_NOT_STORED');
  });

  test('of other encodings are texts, too', async () => {
    const eventId = newEventId();
    const wide = Buffer.from(log.toString(), 'utf16le');
    const files = {
      a: wide,
      b: Buffer.concat([Buffer.from([0xff, 0xfe]), wide]),
      c: Buffer.from(`${log}\xfc`, 'latin1'),
    };
    expect((await post(envelopeUrl(server.installed.dsn), withFiles(eventId, files))).status).toBe(200);
    await server.drained();
    expect((await attachmentsOf(eventId)).map(({ notStored }) => typeof notStored)).toEqual([
      'string',
      'string',
      'string',
    ]);
  });

  test('where the project allows them are scrubbed across all borders, and lie compressed', async () => {
    await server.api(`${projectUrl()}/`, {
      method: 'PUT',
      body: JSON.stringify({ settings: { largeTextAttachments: true } }),
    });
    await server.until('the setting is known everywhere', async () => {
      const eventId = newEventId();
      await post(envelopeUrl(server.installed.dsn), withFiles(eventId, { 'app.log': log }));
      await server.drained();
      const [stored] = await attachmentsOf(eventId);
      if (!stored || stored.notStored !== null) return false;
      expect(stored.size).toBe(log.length);
      const text = (await download(eventId, stored)).toString();
      expect(text).not.toContain(secret);
      expect(text).toBe(log.toString().replaceAll(secret, '[Filtered]'));
      return true;
    });
    for (const path of await filesOf('blobs')) expect((await readFile(path)).includes(secret)).toBe(false);
  });
});

test('a key takes so many bytes of blobs a day, and goes on from there after a restart; errors are not counted', async () => {
  const [key] = await server.api<Key[]>(`${projectUrl()}/keys/`);
  expect(key?.blobBytesPerDay).toBe(2 * 1024 * mib);
  const url = envelopeUrl(server.installed.dsn);
  const file = Buffer.concat([Buffer.from('\x89PNG'), randomBytes(600_000)]);
  await setLimits({ blobBytesPerDay: 1024 * mib });
  const passes = async (): Promise<{ status: number; limits: string; kept: boolean }> => {
    const eventId = newEventId();
    const answer = await post(url, withFiles(eventId, { 'screen.png': file }));
    await server.drained();
    await server.api(`${projectUrl()}/events/${eventId}/`);
    return {
      status: answer.status,
      limits: answer.headers.get('x-sentry-rate-limits') ?? '',
      kept: (await attachmentsOf(eventId)).length > 0,
    };
  };
  expect(await passes()).toEqual({ status: 200, limits: '', kept: true });
  // What came until now is more than this.
  await setLimits({ blobBytesPerDay: 5 * mib });
  const refused = await passes();
  expect(refused).toMatchObject({ status: 200, kept: false });
  expect(refused.limits).toMatch(/^\d+:attachment:key:blob_quota$/);
  const alone = await post(url, `{"event_id":"${newEventId()}"}\n{"type":"attachment"}\nabc`);
  expect(Number(alone.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await codeOf(alone)).toBe('429 BLOB_QUOTA');
  await counted(server.installed.project, 'attachment rate_limited:blob_quota', 2);

  await server.stop();
  await server.start();
  expect(await passes()).toMatchObject({ status: 200, kept: false });
  await setLimits({ blobBytesPerDay: null });
  expect(await passes()).toEqual({ status: 200, limits: '', kept: true });
});

describe('the project of the installation itself', () => {
  const monitoring = (body: string | Uint8Array, from: string, headers = {}): Promise<Response> =>
    post(`${server.url}/monitoring`, body, { 'x-forwarded-for': from, ...headers });
  const envelope = (...items: string[]): string =>
    [JSON.stringify({ event_id: newEventId(), dsn: ownDsn }), ...items].join('\n');
  const keyOf = (dsn: string): string => new URL(dsn).username;
  const pathOf = (dsn: string): string => new URL(dsn).pathname;

  test.each([
    'attachment',
    'replay_event',
    'replay_recording',
    'profile',
    'profile_chunk',
    'check_in',
    'log',
    'feedback',
    'user_report',
    'trace_metric',
    'hologram',
  ])('does not take %s', async (type) => {
    const body = envelope(`{"type":"${type}","length":2}`, '{}');
    expect(await codeOf(await monitoring(body, '198.51.100.1'))).toBe('403 INTERNAL_KEY');
  });

  test('takes the error of an envelope without its attachment', async () => {
    const eventId = newEventId();
    const body = withFiles(eventId, { 'a.bin': randomBytes(100) }, { dsn: ownDsn });
    expect((await monitoring(body, '198.51.100.2')).status).toBe(200);
    await server.drained();
    const project = `/projects/${server.installed.organization}/culprit/events/${eventId}`;
    await server.api(`${project}/`);
    expect(await server.api<unknown[]>(`${project}/attachments/`)).toEqual([]);
    await counted('culprit', 'attachment invalid:internal_project');
  });

  test('takes what its SDK sends', async () => {
    const started = new Date().toISOString();
    const items = [
      ['{"type":"session"}', JSON.stringify({ sid: newEventId(), init: true, started, attrs: { release: '1' } })],
      ['{"type":"client_report"}', '{"timestamp":1,"discarded_events":[]}'],
      ['{"type":"span","item_count":1,"content_type":"application/vnd.sentry.items.span.v2+json"}', '{"items":[{}]}'],
    ];
    for (const item of items) {
      expect((await monitoring(envelope(...item), '198.51.100.3')).status).toBe(200);
    }
  });

  test('takes nothing by other ways', async () => {
    const [key, path] = [keyOf(ownDsn), pathOf(ownDsn)];
    const json = { 'content-type': 'application/json' };
    for (const [to, body] of [
      [`/api${path}/store/?sentry_key=${key}`, '{"message":"x"}'],
      [`/api${path}/security/?sentry_key=${key}`, '{"csp-report":{}}'],
      [`/api${path}/otlp/v1/logs?sentry_key=${key}`, '{"resourceLogs":[]}'],
      [`/api/embed/error-page/?dsn=${encodeURIComponent(ownDsn)}&eventId=${newEventId()}`, 'comments=x'],
    ] as const) {
      const answer = await post(server.url + to, body, { ...json, 'x-forwarded-for': '198.51.100.4' });
      expect([to, answer.status]).toEqual([to, 403]);
    }
    const minidump = await post(`${server.url}/api${path}/minidump/?sentry_key=${key}`, randomBytes(100));
    expect(minidump.status).toBe(404);
  });

  test('takes no large bodies, compressed or not', async () => {
    const eventId = newEventId();
    const large = withFiles(eventId, { a: randomBytes(mib + 1) }, { dsn: ownDsn });
    const inflating = zstdCompressSync(withFiles(eventId, { a: Buffer.alloc(2 * mib) }, { dsn: ownDsn }));
    for (const url of [`${server.url}/monitoring`, envelopeUrl(ownDsn)]) {
      expect(await codeOf(await post(url, large, { 'x-forwarded-for': '198.51.100.5' }))).toBe('413 BODY_TOO_LARGE');
      const answer = await post(url, inflating, { ...zstd, 'x-forwarded-for': '198.51.100.5' });
      expect(await codeOf(answer)).toBe('413 BODY_TOO_LARGE');
      const padded = await post(url, paddedGzip(errorOf(), mib), {
        'content-encoding': 'gzip',
        'x-forwarded-for': '198.51.100.6',
      });
      expect(await codeOf(padded)).toBe('413 BODY_TOO_LARGE');
    }
  });

  test('has no more inflated than it takes, also where only the envelope says whose it is', async () => {
    // What stands behind the limit is not read: it would be another complaint.
    const body = envelope('{"type":"attachment"}', 'a'.repeat(8 * mib), 'no item');
    for (const url of [`${server.url}/monitoring`, envelopeUrl(ownDsn)]) {
      const answer = await post(url, zstdCompressSync(body), { ...zstd, 'x-forwarded-for': '198.51.100.8' });
      expect(await codeOf(answer)).toBe('413 BODY_TOO_LARGE');
    }
  });

  test('hears an honest report while another address floods it, whichever way that takes', async () => {
    for (const url of [`${server.url}/monitoring`, envelopeUrl(ownDsn)]) {
      const from = url.endsWith('/monitoring') ? '203.0.113.6' : '203.0.113.7';
      const startedAt = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 300 }, () => post(url, errorOf(), { 'x-forwarded-for': from })),
      );
      const seconds = Math.ceil((performance.now() - startedAt) / 1000);
      const accepted = answers.filter(({ status }) => status === 200).length;
      expect(accepted).toBeGreaterThan(0);
      expect(accepted).toBeLessThanOrEqual(60 + 3 * seconds);
      const refused = answers.find(({ status }) => status !== 200);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused && (await codeOf(refused))).toBe('429 TOO_MANY_REPORTS');
      expect((await post(url, errorOf(), { 'x-forwarded-for': '192.0.2.77' })).status).toBe(200);
    }
  });

  function errorOf(): string {
    const [, ...rest] = errorEnvelope(newEventId()).split('\n');
    return [JSON.stringify({ event_id: newEventId(), dsn: ownDsn }), ...rest].join('\n');
  }
});
