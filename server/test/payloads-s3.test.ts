/** Whole events as objects on S3, where the events store is one that others reach; those of small batches in their rows. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseS3Address } from '../src/base/s3/address.ts';
import { createObjects } from '../src/base/s3/objects.ts';
import { startEngine } from '../src/ports/events/supervisor.ts';
import { envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';
import { sharedS3 } from './s3/server.ts';

test('large batches lie on S3, small ones in their rows, and the API gives both', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'culprit-payloads-s3-'));
  const engine = await startEngine({ dataDir: dir });
  try {
    const { username, password, url, database } = engine.address;
    const blobsUrl = await (await sharedS3()).bucket();
    await using server = await Server.create({
      CULPRIT_EVENTS_URL: url.replace('//', `//${username}:${password}@`) + `/${database}`,
      CULPRIT_BLOBS_URL: blobsUrl,
    });
    const send = async (told: string): Promise<string> => {
      const id = newEventId();
      const body = errorEnvelope(id, { message: 'one bug', extra: { told } });
      expect((await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body })).ok).toBe(true);
      await server.drained();
      return id;
    };
    // More than is cut off of one value.
    const long = Array.from({ length: 12_000 }, (_, index) => `line ${index}`).join('\n');
    const small = await send('a little');
    const large = await send(long);
    await using events = await server.events();
    const rows = await events.query<{ id: string; segment: number; bytes: number }>(
      'SELECT event_id AS id, payload_segment AS segment, length(payload) AS bytes FROM errors',
    );
    const rowOf = (id: string) => rows.find((row) => row.id === id);
    expect(rowOf(small)).toMatchObject({ segment: 0 });
    expect(rowOf(small)?.bytes).toBeGreaterThan(0);
    expect(rowOf(large)).toMatchObject({ bytes: 0 });
    const keys: string[] = [];
    for await (const { key } of createObjects(parseS3Address(blobsUrl)).list('payloads/')) keys.push(key);
    expect(keys).toEqual([
      expect.stringMatching(new RegExp(`^payloads/\\d{4}-\\d\\d-\\d\\d/${rowOf(large)?.segment}$`)),
    ]);
    const { organization, project } = server.installed;
    for (const [id, told] of [
      [small, 'a little'],
      [large, 'line 0'],
    ] as const) {
      const event = await server.api<{ context: { told: string } }>(
        `/projects/${organization}/${project}/events/${id}/`,
      );
      expect(event.context.told).toContain(told);
    }
  } finally {
    await engine.stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
});
