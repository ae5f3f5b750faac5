/** What a copy of the data directory, or of a part of it, gives to whoever has it. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../harness.ts';

let server: Server;
beforeAll(async () => {
  server = await Server.create({}, { start: false });
  // The events store is still starting: what comes now waits in the log.
  await server.start({ ready: false });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Files under the data directory in which one of the texts stands as it is. */
async function filesWith(...texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const bytes = entry.isFile() ? await readFile(path).catch(() => Buffer.alloc(0)) : Buffer.alloc(0);
      return texts.some((text) => bytes.includes(text)) ? [path] : [];
    }),
  );
  return found.flat();
}

test('what was accepted and not scrubbed yet is in no file, and is processed after a kill', async () => {
  const secret = 'hunter2-in-an-extra';
  const eventId = newEventId();
  const sent = await fetch(envelopeUrl(server.installed.dsn), {
    method: 'POST',
    body: errorEnvelope(eventId, { extra: { password: secret, note: 'kept' } }),
  });
  expect(sent.status).toBe(200);
  await server.kill();
  expect(await filesWith(secret)).toEqual([]);

  await server.start();
  await server.drained();
  const event = await server.api<unknown>(
    `/projects/${server.installed.organization}/${server.installed.project}/events/${eventId}/`,
  );
  expect(JSON.stringify(event)).toContain('kept');
  expect(JSON.stringify(event)).not.toContain(secret);
  expect(await filesWith(secret)).toEqual([]);
});

test('the key is its owner’s alone', async () => {
  const { mode } = await stat(join(server.dataDir, 'secret.key'));
  expect((mode & 0o777).toString(8)).toBe('600');
});
