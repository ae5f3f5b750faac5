/** Everything that real clients were recorded to send is accepted. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, testKey, type TestServer } from './test-server.ts';

const captures = join(import.meta.dirname, '../../../../shared/fixtures/captures');
const present = existsSync(captures);
if (!present) console.warn('shared/fixtures is absent: recorded traffic of real clients was not replayed');

interface Recorded {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: { readonly file: string };
}

const ours = /^\/(?:api\/(?:\d+\/)?(?:envelope|store|security|csp-report)\/?|monitoring|30ydxt)(?:\?|$)/;

function* recordedRequests(): Generator<Recorded & { readonly directory: string }> {
  for (const session of readdirSync(captures)) {
    const directory = join(captures, session);
    for (const file of readdirSync(directory).filter((name) => name.endsWith('.http.json'))) {
      const recorded = JSON.parse(readFileSync(join(directory, file), 'utf8')) as Recorded;
      if (recorded.method === 'POST' && ours.test(recorded.path)) yield { ...recorded, directory };
    }
  }
}

describe.skipIf(!present)('recorded traffic', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer();
    server.keys.set('0123456789abcdef0123456789abcdef', testKey());
    server.keys.set('fedcba9876543210fedcba9876543210', testKey({ keyId: 2, projectId: 2 }));
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test.each(present ? [...recordedRequests()] : [])('$name', async ({ path, headers, body, directory }) => {
    const kept = headers.filter(
      ([name]) => !['host', 'content-length', 'transfer-encoding', 'connection'].includes(name),
    );
    // A server integration gives the managed tunnel its path; the envelope is the same as at any other.
    const response = await fetch(`${server.url}${path.replace('/30ydxt', '/monitoring')}`, {
      method: 'POST',
      headers: kept.map(([name, value]): [string, string] => [name, value]),
      body: body && readFileSync(join(directory, body.file)),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    expect((await server.drainEnvelopes()).length).toBe(1);
    expect(server.errors).toEqual([]);
  });
});
