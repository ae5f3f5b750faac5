/** A person in every kind of data that SDKs send. */
import { randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Found } from './attacks/secrets/search.ts';
import { envelopeUrl, newEventId, type Server } from './harness.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly ip_address: string;
}

export const ada: Person = {
  id: 'zq-person-81447',
  email: 'ada.zquill@mail.example',
  username: 'Adaline Zquill',
  ip_address: '203.0.113.77',
};
export const bob: Person = {
  id: 'zq-other-55120',
  email: 'bob.yonder@mail.example',
  username: 'Robert Yonder',
  ip_address: '203.0.113.78',
};

const valuesOf = (person: Person): string[] => Object.values(person);

const envelope = (header: object, items: readonly (readonly [object, string | Uint8Array])[]): Buffer =>
  Buffer.concat([
    Buffer.from(`${JSON.stringify({ sent_at: new Date().toISOString(), ...header })}\n`),
    ...items.flatMap(([itemHeader, payload]) => {
      const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
      return [Buffer.from(`${JSON.stringify({ ...itemHeader, length: bytes.length })}\n`), bytes, Buffer.from('\n')];
    }),
  ]);

async function sendTo(dsn: string, body: Buffer): Promise<void> {
  const response = await fetch(envelopeUrl(dsn), { method: 'POST', body: body as never });
  expect(response.status, await response.clone().text()).toBe(200);
}

/** What an application sends of a person; `texts`: of somebody else, in which they are named. */
export async function sendAll({ installed }: Pick<Server, 'installed'>, user: Person, tag: string): Promise<string> {
  const send = (body: Buffer): Promise<void> => sendTo(installed.dsn, body);
  const eventId = newEventId();
  const now = Date.now() / 1000;
  const trace = randomUUID().replaceAll('-', '');
  const span = trace.slice(0, 16);
  const json = (value: unknown): string => JSON.stringify(value);
  await send(
    envelope({ event_id: eventId }, [
      [
        { type: 'event' },
        json({
          event_id: eventId,
          timestamp: now,
          platform: 'javascript',
          user,
          tags: { customer: user.email, side: tag },
          extra: { note: `called ${user.username}` },
          breadcrumbs: { values: [{ timestamp: now, message: `GET /users/${user.id}`, category: 'http' }] },
          request: {
            url: `https://shop.example/?mail=${encodeURIComponent(user.email)}`,
            headers: { 'X-For': user.email },
          },
          contexts: { trace: { trace_id: trace, span_id: span } },
          exception: {
            values: [
              {
                type: `Failure${tag}`,
                value: `could not mail ${user.email}`,
                stacktrace: { frames: [{ filename: 'app.js', function: tag, lineno: 1, in_app: true }] },
              },
            ],
          },
        }),
      ],
      [
        { type: 'attachment', filename: 'notes.txt', content_type: 'text/plain', attachment_type: 'event.attachment' },
        `order of ${user.email}\n`.repeat(3),
      ],
    ]),
  );
  await send(
    envelope({ event_id: newEventId() }, [
      [
        { type: 'transaction' },
        json({
          type: 'transaction',
          event_id: newEventId(),
          transaction: `/checkout/${tag}`,
          start_timestamp: now - 1,
          timestamp: now,
          platform: 'node',
          user,
          contexts: { trace: { trace_id: trace, span_id: span, op: 'http.server' } },
          spans: [
            {
              trace_id: trace,
              span_id: 'b0e6f15b45c36b12',
              parent_span_id: span,
              start_timestamp: now - 0.5,
              timestamp: now,
              op: 'db',
              description: `SELECT * FROM users WHERE id = 1`,
              data: { 'user.email': user.email },
            },
          ],
        }),
      ],
    ]),
  );
  const attribute = (value: string) => ({ type: 'string', value });
  await send(
    envelope({}, [
      [
        { type: 'log', item_count: 2, content_type: 'application/vnd.sentry.items.log+json' },
        json({
          items: [
            { timestamp: now, trace_id: trace, level: 'info', body: `${tag} mailed ${user.email}`, attributes: {} },
            {
              timestamp: now,
              trace_id: trace,
              level: 'info',
              body: `${tag} done`,
              attributes: { 'user.id': attribute(user.id), 'user.name': attribute(user.username) },
            },
          ],
        }),
      ],
    ]),
  );
  await send(
    envelope({}, [
      [
        { type: 'session' },
        json({
          sid: randomUUID(),
          did: user.id,
          init: true,
          started: new Date().toISOString(),
          status: 'ok',
          errors: 0,
          attrs: { release: 'shop@1', environment: 'production' },
        }),
      ],
    ]),
  );
  const feedback = newEventId();
  await send(
    envelope({ event_id: feedback }, [
      [
        { type: 'feedback' },
        json({
          event_id: feedback,
          timestamp: now,
          platform: 'javascript',
          user,
          contexts: {
            feedback: { message: `${tag} please call`, name: user.username, contact_email: user.email },
          },
        }),
      ],
      [
        { type: 'attachment', filename: 'shot.txt', content_type: 'text/plain' },
        Buffer.concat([Buffer.from(`${user.email}\n`), Buffer.alloc(300_000, `${tag} filler `)]),
      ],
    ]),
  );
  const replay = newEventId();
  await send(
    envelope({ event_id: replay }, [
      [
        { type: 'replay_event' },
        json({ replay_id: replay, event_id: replay, timestamp: now, user, urls: [`https://shop.example/${tag}`] }),
      ],
      [
        { type: 'replay_recording' },
        Buffer.concat([
          Buffer.from('{"segment_id":0}\n'),
          deflateSync(json([{ type: 3, data: { text: user.email } }])),
        ]),
      ],
    ]),
  );
  return eventId;
}

/** Where a value of the person stands. */
export const placesOf = (all: readonly Found[], person: Person): string[] => {
  const values = valuesOf(person).flatMap((value) => [value, encodeURIComponent(value)]);
  const found = all.filter(({ text }) => {
    const lower = text.toLowerCase();
    return values.some((value) => lower.includes(value.toLowerCase()));
  });
  return [...new Set(found.map(({ where }) => where))].sort();
};
