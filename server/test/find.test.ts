/** From the text on the screen to the line, through the whole program: ingestion, the API, the stream, the command line. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { FindAnswer, Watch } from '../src/api/find/contract.ts';
import { culprit, envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

type Answer = z.output<typeof FindAnswer>;
type WatchShape = z.output<typeof Watch>;

let server: Server;
beforeAll(async () => {
  server = await Server.create();
  await server.until('the tables are there', async () => Boolean(await find('Digest: 1')));
});
afterAll(() => server?.[Symbol.asyncDispose]());

const trace = '9bd90d35591d4bd0bcd95b1aef397a44';
const url = 'https://shop.example.com/product/7';

async function send(body: string): Promise<void> {
  const response = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
  expect(response.status).toBe(200);
}

const serverEvent = (digest: string, eventId = newEventId()): string =>
  errorEnvelope(eventId, {
    tags: { digest },
    release: 'shop@1.4.2',
    request: { url },
    contexts: { trace: { trace_id: trace, span_id: '8efd84a8c32d4e7c' }, runtime: { name: 'node', version: 'v24' } },
  });

const browserEvent = (digest: string): string =>
  errorEnvelope(newEventId(), {
    platform: 'javascript',
    tags: { digest },
    request: { url },
    contexts: { trace: { trace_id: trace, span_id: '8c04f55d49abf173' } },
    exception: {
      values: [
        {
          type: 'Error',
          value:
            'An error occurred in the Server Components render. The specific message is omitted in production builds to avoid leaking sensitive details.',
        },
      ],
    },
  });

const find = (text: string): Promise<Answer> => server.api(`/organizations/acme/find/?q=${encodeURIComponent(text)}`);
const run = (...args: string[]) => culprit(args, { CULPRIT_DATA_DIR: server.dataDir, CULPRIT_URL: server.url });

test('a watched digest is told when its event is stored, then found by every wording and on the command line', async () => {
  const digest = '1930860604';
  const text = `Application error: a server-side exception has occurred while loading shop.example.com (see the server logs for more information).\nDigest: ${digest}`;
  expect(await find(text)).toMatchObject({ kind: 'nothing', digest, evidence: { hostKnown: false } });
  const before = await run('digest', digest);
  expect(before).toMatchObject({ code: 1, stderr: '' });
  expect(before.stdout).toContain(`No event has the digest ${digest} yet.`);

  const watch = await server.api<WatchShape>('/organizations/acme/digest-watches/', {
    method: 'POST',
    body: JSON.stringify({ digest, host: 'shop.example.com' }),
  });
  expect(watch.status).toBe('waiting');
  const closing = new AbortController();
  const stream = await fetch(`${server.url}/api/0/organizations/acme/live/`, {
    headers: { authorization: `Bearer ${server.installed.token}` },
    signal: closing.signal,
  });
  const notice = (async () => {
    let heard = '';
    for await (const chunk of stream.body ?? []) {
      heard += Buffer.from(chunk).toString();
      const line = heard.split('\n').find((one) => one.startsWith('data: ') && one.includes('"digest"'));
      if (line !== undefined && heard.endsWith('\n')) return JSON.parse(line.slice(6)) as Record<string, unknown>;
    }
    return undefined;
  })();

  const eventId = newEventId();
  await send(browserEvent(digest));
  await send(serverEvent(digest, eventId));
  expect(await notice).toMatchObject({ type: 'digest', watchId: watch.id, digest, eventId });
  closing.abort();
  await server.drained();
  expect(await server.api<WatchShape[]>('/organizations/acme/digest-watches/')).toMatchObject([
    { id: watch.id, status: 'found', found: { eventId } },
  ]);

  for (const wording of [
    text,
    `This page couldn’t load\nA server error occurred. Reload to try again.\nReload\nERROR ${digest}`,
    `${digest}@E7`,
    digest,
    eventId,
    trace,
    `${server.url}/d/${digest}`,
  ]) {
    expect(await find(wording)).toMatchObject({
      kind: 'cause',
      causes: [
        { event: { id: eventId }, frame: { filename: '/app/src/price.js', lineNo: 42 }, releases: ['shop@1.4.2'] },
      ],
      shown: { count: 1 },
      traces: [{ id: trace, serverEvents: 1, browserEvents: 1 }],
    });
  }

  const told1 = await run('digest', digest);
  expect(told1).toMatchObject({ code: 0, stderr: '' });
  for (const part of [
    'TypeError: Cannot read properties of null',
    'at getPrice (/app/src/price.js:42:7)',
    '> 42 |   return item.price;',
    '1 visit since ',
    'in shop@1.4.2',
    `on ${url}`,
    `${server.url}/issues/WEB-`,
    `?event=${eventId}`,
    `1 browser event showed the screen, in the trace ${trace}.`,
  ]) {
    expect(told1.stdout).toContain(part);
  }
  const pasted = await culprit(['digest', '-', '--json'], { CULPRIT_DATA_DIR: server.dataDir }, text);
  expect(pasted.code).toBe(0);
  expect(JSON.parse(pasted.stdout)).toMatchObject({
    found: true,
    digest,
    host: 'shop.example.com',
    visits: { count: 1, unit: 'traces' },
    causes: [{ event: eventId, line: { file: '/app/src/price.js', line: 42, function: 'getPrice' } }],
  });
  expect(await run('digest', ...text.split(/\s+/))).toMatchObject({ code: 0 });
});

test('a stack of another language is printed as its runtime prints it', async () => {
  const folder = join(import.meta.dirname, '../../fixtures/stacks');
  for (const scenario of ['python/group', 'java/suppressed']) {
    const event = JSON.parse(readFileSync(join(folder, `${scenario}.json`), 'utf8')) as Record<string, unknown>;
    const eventId = newEventId();
    await send(errorEnvelope(eventId, event));
    await server.drained();
    const printed = readFileSync(join(folder, `${scenario}.txt`), 'utf8');
    const told = await run('digest', eventId, '--stack');
    expect(told.stdout).toContain(printed);
    const json = await run('digest', eventId, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ causes: [{ stack: printed.trimEnd() }] });
  }
  expect((await run('digest', newEventId())).code).toBe(1);
});

test('the command line says what is wrong with how it was asked', async () => {
  expect(await run('digest')).toMatchObject({ code: 2, stderr: expect.stringContaining('A digest is required') });
  expect(await run('digest', '7', '--org', 'nobody')).toMatchObject({ code: 1, stdout: '' });
  const json = await run('digest', '7', '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    found: false,
    kind: 'nothing',
    understood: [{ kind: 'digest', value: '7' }],
  });
});

/** Captured beside the checkout; where they are not, the events above stand for them. */
const captured = join(import.meta.dirname, '../../../shared/fixtures/nextjs');
const pairs = [
  ['next16-helper-action', 'next16'],
  ['next15-helper', 'next15'],
  ['next16-default', 'next16'],
] as const;

test.runIf(existsSync(captured))(
  'what was captured from Next.js leads from the digest to the error of the server',
  async () => {
    for (const [name] of pairs) {
      for (const side of ['browser', 'server']) {
        const [header = '', ...items] = readFileSync(join(captured, `${name}-${side}.envelope`), 'utf8').split('\n');
        // It was sent to another DSN.
        await send([JSON.stringify({ ...JSON.parse(header), dsn: undefined }), ...items].join('\n'));
      }
    }
    await server.drained();
    for (const [name] of pairs) {
      const lines = readFileSync(join(captured, `${name}-server.envelope`), 'utf8').split('\n');
      const event = lines
        .filter((line) => line.includes('"exception"'))
        .map((line) => JSON.parse(line) as { event_id: string; exception: { values: { value: string }[] } })[0];
      if (!event) throw new Error(`${name} has no event`);
      const byEvent = await find(event.event_id);
      expect(byEvent).toMatchObject({ kind: 'cause', causes: [{ event: { id: event.event_id, side: 'server' } }] });
      const digest = byEvent.kind === 'cause' ? byEvent.causes[0]?.event.digest : undefined;
      expect(digest).toMatch(/^\d+$/);
      const answer = await find(`This page couldn’t load … ERROR ${digest}`);
      expect(answer).toMatchObject({
        kind: 'cause',
        matchedBy: 'digest',
        causes: [{ exception: { value: event.exception.values[0]?.value } }],
      });
      expect(answer.kind === 'cause' && answer.shown.count).toBeGreaterThan(0);
      expect(answer.kind === 'cause' && answer.causes[0]?.frame?.lineNo).toBeTruthy();
    }
  },
);
