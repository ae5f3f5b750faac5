/**
 * Two days of a shop's traffic as SDKs up to 10 send it: a server whose second release is slow on one machine, and a page
 * in several browsers. The same each time, but for the clock it ends at.
 */
import { createHash } from 'node:crypto';
import { envelopeUrl, errorEnvelope, newEventId } from '../server/test/harness.ts';

const hourMs = 3_600_000;
const id = (text: string, length: number): string => createHash('md5').update(text).digest('hex').slice(0, length);

export const releases = ['shop@1.0.0', 'shop@1.1.0'] as const;
/** When the second release came, hours before the end. */
export const deployedHoursAgo = 6;
export const slowMachine = 'web-2';

interface Sent {
  readonly type: 'transaction' | 'span';
  readonly body: Readonly<Record<string, unknown>>;
}

/** What one request to the cart did, `hoursAgo` before `nowMs`. */
function cart(index: number, hoursAgo: number, nowMs: number): Sent {
  const trace_id = id(`cart ${index}`, 32);
  const span_id = trace_id.slice(0, 16);
  const isNew = hoursAgo < deployedHoursAgo;
  const machine = `web-${(index % 4) + 1}`;
  const isSlow = isNew && machine === slowMachine;
  const durationMs = isSlow ? 1800 + (index % 7) * 60 : 60 + ((index * 37) % 120);
  const start = (nowMs - hoursAgo * hourMs) / 1000 - 30;
  const queryMs = durationMs * 0.7;
  const span = (n: number, op: string, description: string, fromMs: number, ms: number) => ({
    trace_id,
    span_id: id(`cart ${index} ${n}`, 16),
    parent_span_id: span_id,
    op,
    description,
    start_timestamp: start + fromMs / 1000,
    timestamp: start + (fromMs + ms) / 1000,
    status: 'ok',
    data: { 'sentry.origin': 'auto.db' },
  });
  return {
    type: 'transaction',
    body: {
      type: 'transaction',
      event_id: id(`event cart ${index}`, 32),
      platform: 'node',
      transaction: 'GET /cart',
      transaction_info: { source: 'route' },
      start_timestamp: start,
      timestamp: start + durationMs / 1000,
      release: releases[isNew ? 1 : 0],
      environment: 'production',
      user: { id: `u-${index % 23}` },
      tags: { machine },
      contexts: {
        trace: {
          trace_id,
          span_id,
          op: 'http.server',
          status: isSlow && index % 3 === 0 ? 'internal_error' : 'ok',
          data: { 'sentry.sample_rate': 0.5 },
        },
      },
      spans: [
        span(1, 'db', `SELECT * FROM carts WHERE id = ${index}`, 5, queryMs),
        span(2, 'cache.get', 'session', 1, 3),
        span(3, 'http.client', 'GET https://prices.internal/list', 5 + queryMs, durationMs * 0.2),
      ],
      sdk: { name: 'sentry.javascript.node', version: '10.78.0' },
    },
  };
}

const browsers = [
  { name: 'Chrome', os: 'Windows' },
  { name: 'Chrome Mobile', os: 'Android' },
  { name: 'Firefox', os: 'Linux' },
  { name: 'Mobile Safari', os: 'iOS' },
] as const;

/** A page load with its vitals, then an interaction on it. */
function pageLoad(index: number, hoursAgo: number, nowMs: number): Sent[] {
  const trace_id = id(`page ${index}`, 32);
  const span_id = trace_id.slice(0, 16);
  const browser = browsers[index % browsers.length] ?? browsers[0];
  const start = (nowMs - hoursAgo * hourMs) / 1000 - 30;
  const isMobile = browser.os === 'Android';
  const lcp = (isMobile ? 4300 : 1900) + ((index * 53) % 700);
  const shared = {
    release: releases[hoursAgo < deployedHoursAgo ? 1 : 0],
    environment: 'production',
    platform: 'javascript',
  };
  const ms = (value: number) => ({ value, unit: 'millisecond' });
  const safari = browser.name === 'Mobile Safari';
  return [
    {
      type: 'transaction',
      body: {
        type: 'transaction',
        event_id: id(`event page ${index}`, 32),
        transaction: '/product/:id',
        transaction_info: { source: 'route' },
        start_timestamp: start,
        timestamp: start + (lcp + 400) / 1000,
        ...shared,
        user: { id: `v-${index % 17}` },
        contexts: {
          browser: { name: browser.name, version: '130.0.0' },
          os: { name: browser.os },
          trace: {
            trace_id,
            span_id,
            op: 'pageload',
            status: 'ok',
            data: {
              'lcp.element': 'body > main > section.hero > img.cover',
              'lcp.url': 'https://cdn.example.com/covers/hero.avif?w=1200',
              'lcp.size': 482_000,
              'cls.source.1': 'body > main > aside.offers',
            },
          },
        },
        measurements: {
          fcp: ms(900 + ((index * 31) % 900)),
          ttfb: ms(180 + ((index * 17) % 300)),
          ...(safari ? {} : { lcp: ms(lcp), cls: { value: ((index % 6) * 6) / 100, unit: '' } }),
        },
        spans: [
          {
            trace_id,
            span_id: id(`page ${index} cover`, 16),
            parent_span_id: span_id,
            op: 'resource.img',
            description: '/covers/hero.avif',
            start_timestamp: start + 0.4,
            timestamp: start + (lcp - 150) / 1000,
            data: { 'http.response_transfer_size': 341_000, 'resource.render_blocking_status': 'non-blocking' },
          },
          {
            trace_id,
            span_id: id(`page ${index} css`, 16),
            parent_span_id: span_id,
            op: 'resource.css',
            description: '/assets/main.css',
            start_timestamp: start + 0.2,
            timestamp: start + 0.52,
            data: { 'http.response_transfer_size': 48_000, 'resource.render_blocking_status': 'blocking' },
          },
        ],
        sdk: { name: 'sentry.javascript.react', version: '10.78.0' },
      },
    },
    ...(safari
      ? []
      : [
          {
            type: 'span' as const,
            body: {
              trace_id,
              span_id: id(`page ${index} click`, 16),
              parent_span_id: span_id,
              segment_id: span_id,
              op: 'ui.interaction.click',
              description: 'body > main > button#buy',
              start_timestamp: start + 3,
              timestamp: start + 3.2,
              exclusive_time: 200,
              measurements: { inp: ms(isMobile ? 320 + (index % 9) * 40 : 90 + (index % 9) * 10) },
              data: {
                'sentry.segment.name': '/product/:id',
                'sentry.release': shared.release,
                'sentry.environment': 'production',
                'browser.name': browser.name,
                'os.name': browser.os,
              },
            },
          },
        ]),
  ];
}

function envelope({ type, body }: Sent): string {
  const header = { sent_at: new Date().toISOString(), ...(type === 'transaction' && { event_id: body['event_id'] }) };
  return `${JSON.stringify(header)}\n${JSON.stringify({ type })}\n${JSON.stringify(body)}\n`;
}

/** Sends all of it to a project; the server has acknowledged it when this resolves. */
export async function sendTraffic(dsn: string, nowMs = Date.now()): Promise<void> {
  const carts = Array.from({ length: 240 }, (_, index) => cart(index, (index / 240) * 46 + 0.2, nowMs));
  const rare = Array.from({ length: 34 }, (_, index) => rareRoute(index, nowMs));
  const pages = Array.from({ length: 96 }, (_, index) => pageLoad(index, (index / 96) * 46 + 0.2, nowMs)).flat();
  const error = errorEnvelope(newEventId(), {
    transaction: 'GET /cart',
    release: releases[1],
    timestamp: nowMs / 1000 - 600,
  });
  const bodies = [...carts, ...rare, ...pages].map((sent) => envelope(sent));
  bodies.push(error);
  for (let from = 0; from < bodies.length; from += 25) {
    await Promise.all(
      bodies.slice(from, from + 25).map(async (body) => {
        const response = await fetch(envelopeUrl(dsn), { method: 'POST', body });
        if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      }),
    );
  }
}

/** Enough names for a second page of the list. */
function rareRoute(index: number, nowMs: number): Sent {
  const { type, body } = cart(10_000 + index, 1, nowMs);
  const trace_id = id(`rare ${index}`, 32);
  const trace = { trace_id, span_id: trace_id.slice(0, 16), op: 'http.server', status: 'ok' };
  const transaction = `GET /page/${'abcdefghijklmnopqrstuvwxyz'[index % 26]}${index < 26 ? '' : 'x'}`;
  return {
    type,
    body: { ...body, event_id: id(`event rare ${index}`, 32), transaction, contexts: { trace }, spans: [], tags: {} },
  };
}
