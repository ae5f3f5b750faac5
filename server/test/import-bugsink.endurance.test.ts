/** A Bugsink with a thousand events moves in: each is compared field by field, and moving it again brings nothing. */
import { expect, test } from 'vitest';
import { Server } from './harness.ts';
import { Bugsink } from './imports/bugsink.ts';
import { expectSameEvents, importInto } from './imports/moved.ts';

const events = 1_000;
/** Four are from more than a year ago. */
const kept = events - 4;

test('a thousand events', { timeout: 900_000 }, async () => {
  await using server = await Server.create();
  await using bugsink = await Bugsink.start();
  await bugsink.send(events);
  const words = ['bugsink', '--url', bugsink.url, '--events', '1000'];
  const began = performance.now();
  const { outcome } = await importInto(server, words, bugsink.token);
  const seconds = (performance.now() - began) / 1000;
  expect(outcome).toMatchObject({ detail: '', report: { kinds: { issue: { made: 4 }, event: { made: kept } } } });
  expect(await expectSameEvents(server, bugsink)).toBe(kept);
  const again = await importInto(server, words, bugsink.token);
  expect(Object.values(again.outcome?.report.kinds ?? {}).filter(({ made }) => made > 0)).toEqual([]);
  console.log(`${kept} events in ${seconds.toFixed(1)} s, ${(kept / seconds).toFixed(0)}/s`);
});
