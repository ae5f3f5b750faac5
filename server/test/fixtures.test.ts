/** The project's own recorded envelopes, of six SDK versions, replay with every item in one outcome. */
import { parseEnvelope } from '@culprit/envelope';
import { expect, test } from 'vitest';
import { listFixtures, readFixture } from '../../fixtures/index.ts';
import { envelopeUrl, Server } from './harness.ts';
import { addRows, type Rows, storedRows } from './rows-of.ts';

test('every recorded envelope is accepted, and every item is stored', async () => {
  await using server = await Server.create();
  const sent: Rows = { spans: 0, logs: 0, others: 0 };
  for (const name of listFixtures()) {
    const { bytes } = readFixture(name);
    // The recorder's DSN stands in some headers; a client of this server would send this server's.
    const end = bytes.indexOf(0x0a);
    const header = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()) as Record<string, unknown>;
    delete header.dsn;
    const body = Buffer.concat([Buffer.from(JSON.stringify(header)), bytes.subarray(end)]);
    const response = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
    expect([name, response.status, await response.text()]).toEqual([name, 200, expect.any(String)]);
    for (const item of parseEnvelope(bytes).items) addRows(sent, item);
  }
  expect(sent.others).toBeGreaterThan(50);
  expect(sent.spans).toBeGreaterThan(50);
  await server.drained();
  await using events = await server.events();
  expect(await events.query(storedRows)).toEqual([sent]);
  expect(await events.query("SELECT sum(quantity) AS invalid FROM outcomes WHERE outcome = 'invalid'")).toEqual([
    { invalid: 0 },
  ]);
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
