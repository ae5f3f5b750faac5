/** A performance problem through the whole program: sent by an SDK's envelope, an issue seconds later. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from './harness.ts';

let server: Server;
beforeAll(async () => {
  server = await Server.create({ CULPRIT_PERFORMANCE_WAIT_SECONDS: '0' });
});
afterAll(() => server?.[Symbol.asyncDispose]());

const get = async <T>(path: string): Promise<T> => {
  const headers = { authorization: `Bearer ${server.installed.token}` };
  const answer = await fetch(`${server.url}/api/0${path}`, { headers });
  return (await answer.json()) as T;
};

test('a slow query', async () => {
  const traceId = 'ab'.repeat(16);
  const now = Date.now() / 1_000;
  const transaction = {
    type: 'transaction',
    event_id: traceId,
    transaction: 'GET /reports',
    platform: 'node',
    start_timestamp: now - 2,
    timestamp: now,
    contexts: { trace: { trace_id: traceId, span_id: 'f'.repeat(16), op: 'http.server' } },
    spans: [
      {
        span_id: 'a'.repeat(16),
        parent_span_id: 'f'.repeat(16),
        op: 'db',
        description: 'SELECT * FROM sales WHERE year = $1',
        start_timestamp: now - 1.5,
        timestamp: now - 0.5,
      },
    ],
  };
  const { pathname, username } = new URL(server.installed.dsn);
  const answer = await fetch(`${server.url}/api${pathname}/envelope/?sentry_key=${username}`, {
    method: 'POST',
    body: `{}\n{"type":"transaction"}\n${JSON.stringify(transaction)}\n`,
  });
  expect(answer.status).toBe(200);
  const { organization } = server.installed;
  const query = encodeURIComponent('issue.category:performance');
  const list = (): Promise<object[]> => get<object[]>(`/organizations/${organization}/issues/?query=${query}`);
  await expect
    .poll(list)
    .toMatchObject([{ title: 'Slow DB Query', issueType: 'performance_slow_db_query', count: '1' }]);
  const waterfall = await get<object>(`/organizations/${organization}/trace/${traceId}/spans/`);
  expect(waterfall).toMatchObject({ problems: [{ type: 'performance_slow_db_query', offenders: [1], causes: [] }] });
  expect(server.output).not.toContain('"level":50');
});
