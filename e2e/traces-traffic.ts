/** A day of a shop's checkouts as SDKs send them: a page and two services a trace, of which one was slow and failing for a while. */
import { createHash } from 'node:crypto';
import { envelopeUrl, errorEnvelope, newEventId } from '../server/test/harness.ts';

const id = (text: string, length: number): string => createHash('md5').update(text).digest('hex').slice(0, length);

export const checkouts = 180;
/** Hours before the end between which `pay` was slow. */
export const slowHours = { from: 4, until: 2 } as const;
/** So many requests to `pay` failed then, each with an error. */
export const failedCharges = 10;
export const traceId = (index: number): string => id(`trace ${index}`, 32);

/** What `shop` asks its database, and its hash. */
const query = 'SELECT * FROM carts';
export const queryHash = id(`db\0${query}`, 16);

const browsers = ['Chrome', 'Chrome', 'Firefox', 'Safari'] as const;

/** One service's part of a trace; `at` in seconds since the epoch. */
function transaction(
  index: number,
  service: 'web' | 'shop' | 'pay',
  at: number,
  ms: number,
  { name, op, parent, status = 'ok' }: { name: string; op: string; parent?: 'web' | 'shop'; status?: string },
): string {
  const trace_id = traceId(index);
  const span_id = id(`${index} ${service}`, 16);
  const body = {
    type: 'transaction',
    event_id: id(`event ${index} ${service}`, 32),
    platform: service === 'web' ? 'javascript' : 'node',
    transaction: name,
    transaction_info: { source: 'route' },
    start_timestamp: at,
    timestamp: at + ms / 1000,
    release: `shop@1.${Math.floor(index / 60)}.0`,
    environment: index % 12 === 0 ? 'staging' : 'production',
    user: { id: `u-${index % 23}` },
    ...(service !== 'web' && { server_name: service }),
    contexts: {
      trace: {
        trace_id,
        span_id,
        op,
        status,
        ...(parent && { parent_span_id: id(`${index} ${parent}`, 16) }),
        data:
          service === 'web'
            ? {}
            : { 'http.request.method': 'POST', 'http.response.status_code': status === 'ok' ? 200 : 500 },
      },
      ...(service === 'web' && { browser: { name: browsers[index % 4], version: '130.0.0' }, os: { name: 'Windows' } }),
    },
    spans:
      service === 'shop'
        ? [
            {
              trace_id,
              span_id: id(`${index} db`, 16),
              parent_span_id: span_id,
              op: 'db',
              description: query,
              data: {
                'db.system': 'postgresql',
                'code.filepath': '/app/carts.ts',
                'code.function': 'readCart',
                'code.lineno': index % 3 === 0 ? 42 : 7,
              },
              start_timestamp: at + 0.005,
              timestamp: at + 0.025,
            },
          ]
        : [],
  };
  const header = { sent_at: new Date().toISOString(), event_id: body.event_id };
  return `${JSON.stringify(header)}\n${JSON.stringify({ type: 'transaction' })}\n${JSON.stringify(body)}\n`;
}

/** `hoursAgo` before `nowMs`; the newest are last. */
function checkout(index: number, hoursAgo: number, nowMs: number): string[] {
  const at = nowMs / 1000 - hoursAgo * 3600 - 20;
  const isSlow = hoursAgo > slowHours.until && hoursAgo < slowHours.from;
  // Spread as durations are: most near to each other, a few far above.
  const spread = Math.exp((((index * 7919) % 1000) / 1000) ** 3 * 2.6);
  const pay = isSlow ? 3200 + ((index * 37) % 900) : 40 * spread;
  const shop = pay + 60 * spread;
  const failed = isSlow && index % 2 === 0;
  const bodies = [
    transaction(index, 'web', at, shop + 180 * spread, { name: '/checkout', op: 'pageload' }),
    transaction(index, 'shop', at + 0.05, shop, { name: 'POST /order', op: 'http.server', parent: 'web' }),
    transaction(index, 'pay', at + 0.08, pay, {
      name: 'POST /charge',
      op: 'http.server',
      parent: 'shop',
      status: failed ? 'internal_error' : 'ok',
    }),
  ];
  if (failed) {
    const trace = { trace_id: traceId(index), span_id: id(`${index} pay`, 16) };
    bodies.push(errorEnvelope(newEventId(), { timestamp: at + 1, server_name: 'pay', contexts: { trace } }));
  }
  return bodies;
}

async function send(dsn: string, bodies: readonly string[]): Promise<void> {
  for (let from = 0; from < bodies.length; from += 25) {
    await Promise.all(
      bodies.slice(from, from + 25).map(async (body) => {
        const response = await fetch(envelopeUrl(dsn), { method: 'POST', body });
        if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      }),
    );
  }
}

/** Sends all of it to a project; the server has acknowledged it when this resolves. */
export const sendCheckouts = (dsn: string, nowMs = Date.now()): Promise<void> =>
  send(
    dsn,
    Array.from({ length: checkouts }, (_, index) => checkout(index, 20 - (index / checkouts) * 19.5, nowMs)).flat(),
  );

/** One more, of just now. */
export const sendOneMore = (dsn: string, index: number): Promise<void> => send(dsn, checkout(index, 0, Date.now()));
