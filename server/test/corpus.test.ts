/** Recorded traffic of real SDKs replays with every request accepted and every item accounted for. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parseEnvelope } from '@culprit/envelope';
import { expect, test } from 'vitest';
import { openState } from '../src/ports/state/open.ts';
import { Server } from './harness.ts';
import { addRows, type Rows, storedRows } from './rows-of.ts';

const captures = fileURLToPath(new URL('../../../shared/fixtures/captures/', import.meta.url));

interface Capture {
  name: string;
  method: string;
  path: string;
  headers: [string, string][];
  body?: { file: string; contentEncoding?: string; envelopeItems?: string[] };
}

function readCaptures(): { capture: Capture; body: Buffer }[] {
  return readdirSync(captures).flatMap((session) =>
    readdirSync(join(captures, session))
      .filter((file) => file.endsWith('.http.json'))
      .map((file) => {
        const capture = JSON.parse(readFileSync(join(captures, session, file), 'utf8')) as Capture;
        const body = capture.body ? readFileSync(join(captures, session, capture.body.file)) : Buffer.alloc(0);
        return { capture, body };
      }),
  );
}

/** Ingestion paths that this version serves; a tunnel's path is the application's own, so it goes to ours. */
function target(capture: Capture): string | undefined {
  if (capture.method !== 'POST') return undefined;
  const { pathname } = new URL(capture.path, 'http://localhost');
  if (/^\/api\/(\d+\/(envelope|store|security)|store)\/?$/.test(pathname)) return capture.path;
  return capture.body?.envelopeItems && !pathname.startsWith('/api/') ? '/monitoring' : undefined;
}

/** The keys that the recording used, on projects 1 and 2. */
async function useRecordedKeys(server: Server): Promise<void> {
  await using state = await openState({ url: '', dataDir: server.dataDir });
  await state.db.updateTable('project_key').set({ public_key: '0123456789abcdef0123456789abcdef' }).execute();
  const { organization_id } = await state.db.selectFrom('project').select('organization_id').executeTakeFirstOrThrow();
  const { id } = await state.db
    .insertInto('project')
    .values({
      organization_id,
      slug: 'second',
      name: 'Second',
      platform: '',
      short_id_prefix: 'SECOND',
      settings: '{}',
      created_at: Date.now(),
      first_event_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(id).toBe(2);
  // Filters of a new project would leave out the health checks that were recorded.
  await state.db.updateTable('project').set({ settings: '{}' }).execute();
  await state.db
    .insertInto('project_key')
    .values({
      project_id: id,
      public_key: 'fedcba9876543210fedcba9876543210',
      label: 'Recorded',
      is_active: 1,
      rate_limit_count: null,
      rate_limit_window_seconds: null,
      created_at: Date.now(),
    })
    .execute();
}

test('every request of the captured corpus is accepted and every item ends in one outcome', async () => {
  if (!existsSync(captures)) {
    console.warn(
      "The captured corpus is not beside this checkout: its replay was left out. The project's own fixtures are replayed by fixtures.test.ts.",
    );
    return;
  }
  await using server = await Server.create({}, { start: false });
  await useRecordedKeys(server);
  await server.start();
  const refused: string[] = [];
  let requests = 0;
  const sent: Rows = { spans: 0, logs: 0, others: 0 };
  for (const { capture, body } of readCaptures()) {
    const path = target(capture);
    if (!path) continue;
    requests += 1;
    const skip = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'accept-encoding']);
    const headers = capture.headers.filter(([name]) => !skip.has(name) && !name.startsWith('sec-'));
    const response = await fetch(server.url + path, { method: 'POST', headers, body: new Uint8Array(body) });
    const answer = await response.text();
    if (response.status !== 200) refused.push(`${capture.name}: ${response.status} ${answer}`);
    if (capture.body?.envelopeItems) {
      const bytes = capture.body.contentEncoding === 'gzip' ? gunzipSync(body) : body;
      for (const item of parseEnvelope(bytes).items) addRows(sent, item);
    } else {
      sent.others += 1;
    }
  }
  expect(refused).toEqual([]);
  expect(requests).toBeGreaterThan(100);
  await server.drained();
  await using events = await server.events();
  const rows = await events.query<{ outcome: string; reason: string; category: string; quantity: number }>(
    `SELECT outcome, reason, category, sum(quantity) AS quantity FROM outcomes
     WHERE outcome != 'client_discard' GROUP BY outcome, reason, category ORDER BY category, outcome, reason`,
  );
  const invalid = rows.filter((row) => row.outcome !== 'accepted');
  expect(invalid).toEqual([]);
  console.log(`${requests} requests: ${JSON.stringify(sent)}; ${JSON.stringify(rows)}`);
  expect(await events.query(storedRows)).toEqual([sent]);
});
