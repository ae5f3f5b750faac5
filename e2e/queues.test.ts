/** Background work by queue: as Sidekiq sends a job, as Celery does, and what failed or waited. */
import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelopeUrl, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { goWithin, openConsole } from './console-page.ts';
import { listLanguageFixtures, readLanguageFixture } from '../fixtures/index.ts';
import { replay } from '../server/test/languages/replay.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;

const id = (bytes: number): string => randomBytes(bytes).toString('hex');

async function send(transaction: object): Promise<void> {
  const event_id = id(16);
  const item = JSON.stringify({ type: 'transaction', event_id, ...transaction });
  const body = `${JSON.stringify({ event_id })}\n${JSON.stringify({ type: 'transaction' })}\n${item}\n`;
  const answer = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
  expect(answer.status).toBe(200);
}

const now = (): number => Date.now() / 1000;

/** The job is the transaction. */
const sidekiq = (status: string, retries: number): object => ({
  platform: 'ruby',
  sdk: { name: 'sentry.ruby.sidekiq', version: '6.0.0' },
  transaction: 'Sidekiq/MailJob',
  start_timestamp: now() - 2,
  timestamp: now() - 1,
  contexts: {
    trace: {
      trace_id: id(16),
      span_id: id(8),
      op: 'queue.process',
      status,
      data: {
        'messaging.destination.name': 'mailers',
        'messaging.message.receive.latency': 1_500,
        'messaging.message.retry.count': retries,
      },
    },
  },
});

/** The job is a span within the transaction of the task. */
function celery(): object {
  const [trace_id, span_id] = [id(16), id(8)];
  const data = {
    'messaging.destination.name': 'celery',
    'messaging.system': 'redis',
    'messaging.message.receive.latency': 250,
  };
  const [start_timestamp, timestamp] = [now() - 2, now() - 1.5];
  return {
    platform: 'python',
    sdk: { name: 'sentry.python', version: '2.75.0' },
    transaction: 'shop.tasks.restock',
    start_timestamp,
    timestamp,
    contexts: { trace: { trace_id, span_id, op: 'queue.task.celery', status: 'ok' } },
    spans: [
      {
        trace_id,
        span_id: id(8),
        parent_span_id: span_id,
        op: 'queue.process',
        description: 'shop.tasks.restock',
        origin: 'auto.queue.celery',
        data,
        start_timestamp,
        timestamp,
      },
    ],
  };
}

/** As OpenTelemetry's agent for Java names a method of Spring's scheduler. */
async function sendScheduled(): Promise<void> {
  const nanos = BigInt(Date.now()) * 1_000_000n;
  const span = {
    traceId: id(16),
    spanId: id(8),
    name: 'Jobs.reindex',
    kind: 1,
    startTimeUnixNano: String(nanos - 40_000_000n),
    endTimeUnixNano: String(nanos),
    attributes: [{ key: 'code.function', value: { stringValue: 'reindex' } }],
  };
  const scope = { name: 'io.opentelemetry.spring-scheduling-3.1' };
  const resource = { attributes: [{ key: 'telemetry.sdk.language', value: { stringValue: 'java' } }] };
  const { username } = new URL(server.installed.dsn);
  const answer = await fetch(`${server.url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${username}` },
    body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] }),
  });
  expect(answer.status).toBe(200);
}

const cellsOf = async (name: string | RegExp): Promise<string[]> => {
  const row = page.getByRole('row', { name });
  await row.waitFor();
  return (await row.getByRole('cell').allInnerTexts()).map((text) => text.replaceAll(/\s/g, ' '));
};

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page } = await openConsole(server, browser));
});

afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

test('without jobs the page says what would be there', async () => {
  await goWithin(page, `${server.url}/performance/queues`);
  await page.getByText('No queues in this range').waitFor();
});

test('each queue has its jobs, their wait, failures and retries, and leads to them', async () => {
  await Promise.all([send(sidekiq('ok', 0)), send(sidekiq('internal_error', 2)), send(celery())]);
  await server.drained();
  await page.reload();
  const row = page.getByRole('row', { name: /mailers/ });
  await row.waitFor();
  const cells = await row.getByRole('cell').allInnerTexts();
  expect(cells.map((text) => text.replaceAll(/\s/g, ' '))).toEqual(['2', '1.5 s', '1 s', '50%', '2']);
  await page.getByRole('row', { name: /celery.*redis/ }).waitFor();
  await lookAt(page, 'queues', { whole: true });
  await row.getByRole('link', { name: 'mailers' }).click();
  await page.waitForURL('**/explore?**');
  await page.getByText('Sidekiq/MailJob').first().waitFor();
});

test('scheduled methods of Spring and jobs of asynq, as they were recorded', async () => {
  const recorded = listLanguageFixtures().filter((name) =>
    /^(?:java-jpa-8\.51\/scheduled|go-asynq-0\.26\/jobs)/.test(name),
  );
  for (const name of recorded) expect((await replay(readLanguageFixture(name), server.installed)).status).toBe(200);
  await sendScheduled();
  await server.drained();
  await goWithin(page, `${server.url}/performance/queues`);
  const [processed, wait, , failures] = await cellsOf(/^mail redis/);
  expect([processed, failures]).toEqual(['3', '33%']);
  expect(wait).toMatch(/ ms$/);
  expect((await cellsOf(/^Jobs\.invoice/)).slice(1)).toEqual(['–', expect.any(String), '100%', '–']);
  expect((await cellsOf(/^Jobs\.restock/)).slice(3)).toEqual(['0%', '–']);
  await cellsOf(/^Jobs\.reindex/);
  await lookAt(page, 'queues-tasks', { whole: true });
  await page.getByRole('link', { name: 'Jobs.reindex' }).click();
  await page.waitForURL('**/explore?**');
  await page.getByText('Jobs.reindex').first().waitFor();
});
