import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type NatsServer, startNats } from '../../../test/nats/server.ts';
import { openNats } from '../../ports/nats/connection.ts';
import { openStormGuard } from './index.ts';
import { openSharedRates } from './shared-rates.ts';

let server: NatsServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(() => server[Symbol.asyncDispose]());

test('nodes hear what the others get, and those that cannot ask what is usual', async () => {
  const url = server.url('rates');
  await using mine = await openNats({ url, name: 'test' });
  await using theirs = await openNats({ url, name: 'test' });
  using here = openSharedRates(mine);
  using there = openSharedRates(theirs);
  await Promise.all([mine, theirs].map(({ connection }) => connection.flush()));
  expect(there.usual()).toBeUndefined();
  here.tell(
    new Map([
      [1, 40.5],
      [2, 3],
    ]),
  );
  here.tellUsual(new Map([[1, 7]]));
  await vi.waitFor(() => expect(there.usual()).toEqual(new Map([[1, 7]])));
  expect([there.ofOthers(1), there.ofOthers(2), there.ofOthers(3), here.ofOthers(1)]).toEqual([40.5, 3, 0, 0]);
  // Whoever may write to NATS may write anything.
  for (const value of [{ node: 'x', now: [[1, -5]] }, { node: 'x', now: 'much' }, { now: [[1, 5]] }, null]) {
    mine.connection.publish('rates.notes.rates', JSON.stringify({ from: 'x', value }));
  }
  await Promise.all([mine, theirs].map(({ connection }) => connection.flush()));
  expect(there.ofOthers(1)).toBe(40.5);
});

test('what no node would call a storm is one for all of them together', async () => {
  const url = server.url('together');
  await using mine = await openNats({ url, name: 'test' });
  await using theirs = await openNats({ url, name: 'test' });
  const options = { isBehind: async () => false, usualRates: async () => new Map<number, number>() };
  using here = openStormGuard({ ...options, shareRates: () => openSharedRates(mine) });
  // It has no events store to ask.
  using there = openStormGuard({ isBehind: options.isBehind, shareRates: () => openSharedRates(theirs) });
  // Forty a second on average on each: fifty are one.
  const load = setInterval(() => {
    for (let count = 0; count < 4; count++) for (const guard of [here, there]) guard.note(1);
  }, 100);
  try {
    await vi.waitFor(() => expect([here.note(1), there.note(1)]).toEqual([true, true]), {
      timeout: 30_000,
      interval: 500,
    });
  } finally {
    clearInterval(load);
  }
}, 40_000);
