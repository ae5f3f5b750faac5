/** The project's own recorded envelopes, of six SDK versions, replay with every item in one outcome. */
import { itemType, parseEnvelope } from '@culprit/envelope';
import { expect, test } from 'vitest';
import { listFixtures, readFixture } from '../../fixtures/index.ts';
import { envelopeUrl, Server } from './harness.ts';
import { spansOf } from './spans-of.ts';

test('every recorded envelope is accepted, and every item is stored', async () => {
  await using server = await Server.create();
  let items = 0;
  let spans = 0;
  for (const name of listFixtures()) {
    const { bytes } = readFixture(name);
    // The recorder's DSN stands in some headers; a client of this server would send this server's.
    const end = bytes.indexOf(0x0a);
    const header = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()) as Record<string, unknown>;
    delete header.dsn;
    const body = Buffer.concat([Buffer.from(JSON.stringify(header)), bytes.subarray(end)]);
    const response = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
    expect([name, response.status, await response.text()]).toEqual([name, 200, expect.any(String)]);
    for (const item of parseEnvelope(bytes).items) {
      const ofItem = spansOf(item);
      if (ofItem !== undefined) spans += ofItem;
      // Client reports become outcomes of what the SDK discarded, and no rows.
      else if (itemType(item.type).name !== 'client_report') items += 1;
    }
  }
  expect(items).toBeGreaterThan(50);
  expect(spans).toBeGreaterThan(50);
  await server.drained();
  await using events = await server.events();
  const [stored] = await events.query<{ rows: number; spans: number; invalid: number }>(
    `SELECT (SELECT count() FROM errors) + (SELECT count() FROM items) AS rows,
       (SELECT count() FROM spans) AS spans,
       (SELECT sum(quantity) FROM outcomes WHERE outcome = 'invalid') AS invalid`,
  );
  expect(stored).toEqual({ rows: items, spans, invalid: 0 });
  const { root, child } = timesOf('node-10/trace');
  const [times] = await events.query<{ after: number; duration: number }>(
    `SELECT toUnixTimestamp64Micro(anyIf(started_at, span_id = {child:String})) -
         toUnixTimestamp64Micro(anyIf(started_at, span_id = {root:String})) AS after,
       anyIf(duration_us, span_id = {child:String}) AS duration
     FROM spans WHERE span_id IN ({child:String}, {root:String})`,
    { root: root.id, child: child.id },
  );
  expect(times).toEqual({ after: child.startUs - root.startUs, duration: child.endUs - child.startUs });
});

interface Times {
  readonly id: string;
  readonly startUs: number;
  readonly endUs: number;
}

/** Of a recorded transaction and its first span; what was sent long ago is moved as a whole, to the microsecond. */
function timesOf(name: string): { root: Times; child: Times } {
  interface Sent {
    span_id: string;
    start_timestamp: number;
    timestamp: number;
  }
  const payload = parseEnvelope(readFixture(name).bytes).items[0]?.payload ?? new Uint8Array();
  const sent = JSON.parse(Buffer.from(payload).toString()) as Sent & { contexts: { trace: Sent }; spans: [Sent] };
  const times = (id: string, { start_timestamp, timestamp }: Sent): Times => ({
    id,
    startUs: Math.round(start_timestamp * 1e6),
    endUs: Math.round(timestamp * 1e6),
  });
  return { root: times(sent.contexts.trace.span_id, sent), child: times(sent.spans[0].span_id, sent.spans[0]) };
}
