import { expect, test } from 'vitest';
import { hash } from '../issues/testing/stores.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { lineOf } from './frame.ts';
import { digest, minute, now, payload, useShops } from './testing/shops.ts';

onEachDatabase('causes', ({ migrated }) => {
  const start = useShops(migrated);

  test('the whole message leads to the line, how often, since when, and who saw it', async () => {
    const { server, browser, put, cause } = await start();
    const first = server({ timestamp: now - 60 * minute, release: 'shop@1' });
    const second = server({ timestamp: now - 10 * minute, release: 'shop@2' });
    await put(
      first,
      second,
      browser({ trace_id: second.trace_id, timestamp: now - 9 * minute }),
      browser({ digest, trace_id: '' }),
      browser(),
    );
    const answer = await cause(
      `Application error: a server-side exception has occurred while loading shop.example.com (see the server logs for more information).\nDigest: ${digest}`,
    );
    const [one] = answer.causes;
    expect(answer).toMatchObject({
      matchedBy: 'digest',
      value: digest,
      host: 'shop.example.com',
      events: 2,
      visits: { count: 2, unit: 'traces' },
      firstSeen: first.timestamp,
      lastSeen: second.timestamp,
      releases: ['shop@2', 'shop@1'],
      more: 0,
      traces: [{ id: second.trace_id, serverEvents: 1, browserEvents: 1 }],
    });
    expect(answer.shown).toHaveLength(2);
    expect(one?.event.eventId).toBe(second.event_id);
    expect(one?.thrown).toMatchObject({ type: 'RangeError', value: 'invoice 7 missing' });
    expect(lineOf(one?.thrown?.frame ?? {})).toEqual({
      file: 'app/product/[id]/page.tsx',
      function: 'getPrice',
      line: 42,
      column: 17,
      context: [
        [41, 'function getPrice(product) {'],
        [42, '  return product.price;'],
        [43, '}'],
      ],
    });
  });

  test('every form of the digest, the event of either side, and the trace lead to the same cause', async () => {
    const { server, browser, put, ask, cause } = await start();
    const cause1 = server();
    const twin = browser({ trace_id: cause1.trace_id });
    await put(cause1, twin);
    for (const text of [
      digest,
      `ERROR ${digest}`,
      `${digest}@E7`,
      `https://culprit.test/d/${digest}`,
      cause1.event_id,
      twin.event_id,
      cause1.trace_id,
    ]) {
      const answer = await cause(text);
      expect(answer.causes.map(({ event }) => event.eventId)).toEqual([cause1.event_id]);
      expect(answer.shown.map(({ eventId }) => eventId)).toEqual([twin.event_id]);
      expect(answer.traces.map(({ id }) => id)).toEqual([cause1.trace_id]);
    }
    expect((await ask(cause1.trace_id)).understood[0]?.kind).toBe('trace');
  });

  test('a span id leads to its event', async () => {
    const { server, put, cause } = await start();
    const event = server({ span_id: '8efd84a8c32d4e7c' });
    await put(event);
    expect((await cause('8EFD84A8C32D4E7C')).causes[0]?.event.eventId).toBe(event.event_id);
  });

  test('a digest only in the browser finds the server event by trace', async () => {
    const { server, browser, put, cause } = await start();
    const silent = server({ digest: '' });
    await put(silent, browser({ digest, trace_id: silent.trace_id }));
    const answer = await cause(digest);
    expect(answer.causes[0]?.event.eventId).toBe(silent.event_id);
    expect(answer.shown).toHaveLength(1);
  });

  test('digests collide: one line per issue, the newest first, at most five, differing frames marked', async () => {
    const { shop, server, put, cause } = await start();
    await put(
      ...Array.from({ length: 7 }, (_, index) =>
        server({
          group_hash: hash(`collision ${shop.id} ${index}`),
          timestamp: now - index * minute,
          payload: payload(index < 2 ? 1 : index),
        }),
      ),
    );
    const { causes, more } = await cause(digest);
    expect(causes.map(({ event }) => event.at)).toEqual([0, 1, 2, 3, 4].map((index) => now - index * minute));
    expect(causes.map(({ differs }) => differs)).toEqual([false, false, true, true, true]);
    expect(more).toBe(2);
  });

  test('more events than are looked at are counted all the same', async () => {
    const { server, put, cause } = await start();
    await put(...Array.from({ length: 620 }, (_, index) => server({ timestamp: now - index * 1_000, payload: '{}' })));
    expect(await cause(digest)).toMatchObject({
      events: 620,
      visits: { count: 620, unit: 'traces' },
      firstSeen: now - 619_000,
      causes: [{ events: 620 }],
    });
  });

  test('visits are events where one has no trace', async () => {
    const { server, put, cause } = await start();
    const twice = server();
    await put(twice, server({ trace_id: twice.trace_id }));
    expect((await cause(digest)).visits).toEqual({ count: 1, unit: 'traces' });
    await put(server({ trace_id: '' }));
    expect((await cause(digest)).visits).toEqual({ count: 3, unit: 'events' });
  });

  test('what a browser reported by itself is its own cause', async () => {
    const { browser, put, cause } = await start();
    const own = browser({ error_type: 'TypeError', error_value: 'x is undefined' });
    await put(own);
    expect((await cause(own.event_id)).causes[0]?.event.side).toBe('browser');
    expect((await cause(own.trace_id)).causes[0]?.event.side).toBe('browser');
  });
});
