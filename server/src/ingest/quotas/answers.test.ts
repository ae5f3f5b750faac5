/** What quotas do to requests: answers, headers and outcomes, on each endpoint. */
import { parseRateLimits } from '@culprit/envelope';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestServer, publicKey, testKey, type TestServer } from '../test-server.ts';
import type { KeyQuota } from './index.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(async () => {
  expect(server.errors).toEqual([]);
  await server[Symbol.asyncDispose]();
});

const eventId = '0123456789abcdef0123456789abcdef';
const event = `{"event_id":"${eventId}"}\n{"type":"event"}\n{"message":"hi"}\n`;
const span = '{}\n{"type":"span"}\n{}\n';

const setQuotas = (...quotas: Partial<KeyQuota>[]): void => {
  const usual: KeyQuota = { scope: 'project', category: 'error', period: 'month', amount: 1, isHard: true };
  server.keys.set(publicKey, testKey({ quotas: quotas.map((quota) => ({ ...usual, ...quota })) }));
};

const post = (body: string, path = '/api/1/envelope/', type = 'text/plain') =>
  fetch(`${server.url}${path}?sentry_key=${publicKey}`, { method: 'POST', body, headers: { 'content-type': type } });
const limitsOf = ({ headers }: Response) => parseRateLimits(headers.get('x-sentry-rate-limits') ?? '');

test('the request that uses a quota up passes and says so; the next one is refused, for an hour at most', async () => {
  setQuotas({});
  const first = await post(event);
  expect(first.status).toBe(200);
  const [limit] = limitsOf(first);
  expect(limit).toMatchObject({ categories: ['error', 'security'], scope: 'project', reason: 'month_quota' });
  expect(limit?.retryAfter).toBeLessThanOrEqual(3600);
  const second = await post(event);
  expect(second.status).toBe(429);
  expect(limitsOf(second)).toEqual([{ ...limit, retryAfter: expect.any(Number) }]);
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await second.json()).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    detail: expect.stringMatching(/^This project used its quota of 1 error per month\. It starts again at .+ UTC\.$/),
  });
  // Other categories go on, and hear of it.
  const other = await post(span);
  expect([other.status, limitsOf(other).length]).toEqual([200, 1]);
  expect(await server.drainEnvelopes()).toHaveLength(2);
  expect(await server.drainOutcomes()).toEqual({ '1 error rate_limited:month_quota': 1 });
});

test('the rest of an envelope is kept, and files go with their event', async () => {
  setQuotas({ amount: 0, period: 'minute', scope: 'organization' });
  const report = '{"type":"client_report"}\n{"discarded_events":[]}\n';
  const response = await post(`${event}{"type":"attachment","length":3}\na\nb\n${report}`);
  expect(response.status).toBe(200);
  expect(limitsOf(response)).toMatchObject([{ scope: 'organization', reason: 'minute_quota' }]);
  const [received] = await server.drainEnvelopes();
  expect(Buffer.from(received?.body ?? []).toString()).toContain('client_report');
  expect(Buffer.from(received?.body ?? []).toString()).not.toContain('"event"');
  expect(await server.drainOutcomes()).toEqual({
    '1 error rate_limited:minute_quota': 1,
    '1 attachment rate_limited:minute_quota': 1,
  });
});

test('a soft quota says nothing to SDKs', async () => {
  setQuotas({ amount: 0, isHard: false });
  const response = await post(event);
  expect([response.status, limitsOf(response)]).toEqual([200, []]);
});

test('events of old clients and reports of browsers count as errors', async () => {
  setQuotas({ amount: 2 });
  const report = JSON.stringify({ 'csp-report': { 'document-uri': 'https://a.example', 'violated-directive': 'x' } });
  expect((await post('{"message":"hi"}', '/api/1/store/', 'application/json')).status).toBe(200);
  const last = await post(report, '/api/1/security/', 'application/csp-report');
  expect([last.status, limitsOf(last).length]).toEqual([200, 1]);
  expect((await post('{"message":"hi"}', '/api/1/store/', 'application/json')).status).toBe(429);
  expect((await post(report, '/api/1/security/', 'application/csp-report')).status).toBe(429);
  expect(await server.drainOutcomes()).toEqual({
    '1 error rate_limited:month_quota': 1,
    '1 security rate_limited:month_quota': 1,
  });
});

test('clients of OpenTelemetry are told when to try again', async () => {
  setQuotas({ category: 'log_item', amount: 2 });
  const logs = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{}, {}] }] }] });
  const first = await post(logs, '/api/1/integration/otlp/v1/logs', 'application/json');
  expect([first.status, limitsOf(first).length]).toEqual([200, 1]);
  const second = await post(logs, '/api/1/integration/otlp/v1/logs', 'application/json');
  expect(second.status).toBe(429);
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await server.drainOutcomes()).toEqual({ '1 log_item rate_limited:month_quota': 2 });
});

test('what the log does not take is not counted', async () => {
  await server[Symbol.asyncDispose]();
  server = await openTestServer({ limitBytes: 4096 });
  setQuotas({ amount: 1 });
  const large = `${event}{"type":"attachment","length":20000}\n${'x'.repeat(20_000)}\n`;
  expect((await post(large)).status).toBe(503);
  expect(server.errors.splice(0)).toMatchObject([{ msg: expect.stringContaining('The log is full') }]);
  expect(limitsOf(await post(event))).toHaveLength(1);
});
