/** Real SDKs of two majors write logs inside a span: they are found in their trace, with what they carry. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';

let server: Server;

beforeAll(async () => {
  server = await Server.create();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const app = fileURLToPath(new URL('apps/logs.mjs', import.meta.url));

interface Waterfall {
  rows: { id: string; logs?: number }[];
  logs: { id: string; row: number; offsetUs: number; level: string; message: string }[];
}

test.each([
  ['@sentry/node', 11],
  ['sentry-node-10', 10],
])('%s', async (sdk, major) => {
  const { stdout } = await promisify(execFile)(process.execPath, [app, sdk, server.installed.dsn]);
  const { traceId, spanId } = JSON.parse(stdout) as { traceId: string; spanId: string };
  const org = `/organizations/${server.installed.organization}`;
  const trace = await server.until('spans and logs', async () => {
    const found = await server.api<Waterfall>(`${org}/trace/${traceId}/spans/`);
    return found.rows.length > 0 && found.logs.length === 3 ? found : undefined;
  });
  const row = trace.rows.findIndex(({ id }) => id === spanId);
  expect(trace.rows[row]?.logs).toBe(3);
  expect(trace.logs.map((log) => [log.row, log.level, log.message])).toEqual([
    [row, 'info', 'user ada bought 3 items'],
    [row, 'warn', 'stock is low'],
    [row, 'fatal', 'pool exhausted'],
  ]);
  const { data } = await server.api<{ data: Record<string, unknown>[] }>(
    `${org}/trace-logs/?traceId=${traceId}&query=stock`,
  );
  expect(data).toMatchObject([{ message: 'stock is low', severity: 'warn', severity_number: 13, trace: traceId }]);
  const [first] = trace.logs;
  expect(await server.api(`${org}/logs/${first?.id}/`)).toMatchObject({
    traceId,
    spanId,
    service: 'web-1',
    environment: 'staging',
    release: 'shop@1.2.3',
    sdk: { name: 'sentry.javascript.node', version: expect.stringMatching(new RegExp(`^${major}\\.`)) as string },
    attributes: { 'sentry.message.template': 'user %s bought %s items', password: '[Filtered]', vip: 'true' },
    numbers: { 'sentry.message.parameter.1': 3, total: 50.25 },
    remarks: [],
  });
});
