/** Envelopes of other items than errors and spans, as the SDKs (version 11) send them: logs, sessions; and small errors. */
import { gzipSync } from 'node:zlib';
import type { CorpusEnvelope, CorpusOptions } from '../corpus.ts';
import { createRandom, type Random } from './random.ts';
import { functionName, nounName } from './source.ts';
import { typed } from './spans.ts';

/** An SDK sends what it has gathered by then. */
export const logsEach = 100;

const gzipLevel = 6;
const levels = ['info', 'info', 'info', 'debug', 'warn', 'error'] as const;
const severities = { debug: 5, info: 9, warn: 13, error: 17 } as const;
const sdk = { name: 'sentry.javascript.node', version: '11.12.0' };

interface Item {
  readonly header: object;
  readonly payload: object;
}

function* envelopes(
  { seed, count, encoding, nowMs }: CorpusOptions,
  itemOf: (random: Random, eventId: string, atMs: number) => Item,
): Generator<CorpusEnvelope> {
  const random = createRandom(seed);
  for (let index = 0; index < count; index++) {
    const eventId = random.hex(32);
    const atMs = nowMs - random.integer(0, 59_999);
    const { header, payload } = itemOf(random, eventId, atMs);
    const head = { event_id: eventId, sent_at: new Date(nowMs).toISOString(), sdk };
    const plain = Buffer.from(`${JSON.stringify(head)}\n${JSON.stringify(header)}\n${JSON.stringify(payload)}`);
    const body = encoding === 'gzip' ? gzipSync(plain, { level: gzipLevel }) : plain;
    yield { eventId, body, sizeBytes: plain.length };
  }
}

export const createLogs = (options: CorpusOptions): Generator<CorpusEnvelope> =>
  envelopes(options, (random, eventId, atMs) => {
    const common = {
      'sentry.environment': 'production',
      'sentry.release': `shop@5.${random.zipf(12)}.0`,
      'sentry.sdk.name': sdk.name,
      'sentry.sdk.version': sdk.version,
      'server.address': `shop-api-${random.integer(1, 8)}`,
    };
    const items = Array.from({ length: logsEach }, (_, index) => {
      const level = random.pick(levels);
      const noun = nounName(random);
      const attributes = {
        ...common,
        'sentry.message.template': `${noun} %s took %d ms`,
        'user.id': `u-${random.zipf(20_000)}`,
        'order.id': random.integer(1, 999_999),
      };
      return {
        timestamp: (atMs + index) / 1000,
        trace_id: index % 10 === 0 ? eventId : random.hex(32),
        level,
        severity_number: severities[level],
        body: `${noun} ${random.hex(16)} took ${random.integer(1, 900)} ms`,
        attributes: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, typed(value)])),
      };
    });
    const type = 'application/vnd.sentry.items.log+json';
    return { header: { type: 'log', item_count: logsEach, content_type: type }, payload: { items } };
  });

/** The only update of a session of a page, as it ends. */
export const createSessions = (options: CorpusOptions): Generator<CorpusEnvelope> =>
  envelopes(options, (random, eventId, atMs) => ({
    header: { type: 'session' },
    payload: {
      sid: eventId,
      init: true,
      started: new Date(atMs - random.integer(1000, 600_000)).toISOString(),
      timestamp: new Date(atMs).toISOString(),
      status: random.next() < 0.99 ? 'exited' : 'crashed',
      errors: random.next() < 0.97 ? 0 : 1,
      did: `u-${random.zipf(20_000)}`,
      attrs: { release: `shop@5.${random.zipf(12)}.0`, environment: 'production' },
    },
  }));

/** An error of 2 kB, as from a page that gathers little. */
export const createSmall = (options: CorpusOptions): Generator<CorpusEnvelope> =>
  envelopes(options, (random, eventId, atMs) => {
    const bug = random.zipf(60);
    const own = createRandom(bug);
    const frames = Array.from({ length: 8 }, (_, index) => ({
      filename: `https://shop.example.com/assets/${nounName(own)}-${own.hex(8)}.js`,
      function: functionName(own),
      lineno: 1,
      colno: own.integer(100, 90_000) + index,
      in_app: true,
    }));
    return {
      header: { type: 'event' },
      payload: {
        event_id: eventId,
        timestamp: atMs / 1000,
        platform: 'javascript',
        level: 'error',
        environment: 'production',
        release: `shop@5.${random.zipf(12)}.0`,
        transaction: `/${nounName(own)}`,
        sdk: { name: 'sentry.javascript.react', version: sdk.version },
        user: { id: `u-${random.zipf(20_000)}` },
        tags: { tenant: `tenant-${random.zipf(400)}` },
        contexts: { trace: { trace_id: random.hex(32), span_id: random.hex(16) } },
        request: { url: `https://shop.example.com/${nounName(random)}/${random.integer(1, 99_999)}` },
        exception: {
          values: [
            {
              type: 'TypeError',
              value: `${nounName(own)} ${random.integer(1000, 99_999)} is not a function`,
              mechanism: { type: 'auto.browser.global_handlers.onerror', handled: false },
              stacktrace: { frames },
            },
          ],
        },
      },
    };
  });
