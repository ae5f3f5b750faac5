import { expect, test } from 'vitest';
import type { NodeEntry } from '../../domains/nodes/index.ts';
import { storeTroubles } from './store-troubles.ts';

const at = Date.parse('2026-11-25T20:45:00Z');
type Stores = NodeEntry['stores'];
const node = (address: string, stores: Stores, isGone = false) => ({ address, stores, isGone });
const events = (state: Stores[number]['state'], since = at): Stores => [{ store: 'events', state, since }];
const well = { ready: true, away: undefined };

test('a store that is amiss is named, with the earliest moment and the nodes that see it so', () => {
  const nodes = [
    node('a:1', [...events('down', at + 60_000), { store: 'blobs', state: 'slow', since: at }]),
    node('b:1', events('down')),
    node('c:1', events('reachable')),
    node('gone:1', events('down', at - 1e6), true),
  ];
  expect(storeTroubles(nodes, { ...well, ready: false })).toEqual([
    'The events store has been unreachable since 2026-11-25 20:45 UTC on nodes a:1 and b:1.',
    'Events wait in the log.',
    'The blob store has been slow since 2026-11-25 20:45 UTC on node a:1.',
  ]);
  const many = Array.from({ length: 5 }, (_, index) => node(`${index}:1`, events('slow')));
  expect(storeTroubles(many, well)).toEqual([
    'The events store has been slow since 2026-11-25 20:45 UTC on nodes 0:1, 1:1 and 3 more.',
  ]);
});

test('one node alone is not named; what it finds before it has written it down is told all the same', () => {
  expect(storeTroubles([node('a:1', events('down'))], { ...well, ready: false })).toEqual([
    'The events store has been unreachable since 2026-11-25 20:45 UTC.',
    'Events wait in the log.',
  ]);
  expect(storeTroubles([node('a:1', events('reachable'))], well)).toEqual([]);
  const away = { sinceMs: at, reason: 'of a test' };
  expect(storeTroubles([node('a:1', events('reachable'))], { ready: false, away })).toEqual([
    'The events store is not responding. Events wait in the log.',
    'The log has been unreachable since 2026-11-25 20:45 UTC.',
  ]);
});
