import { expect, test } from 'vitest';
import { EntryList, readEntries } from '../ports/event-index/entries.ts';
import type { IndexedEvent } from '../ports/event-index/event-index.ts';
import { IndexedSlices } from './indexed-slices.ts';

function stored(name: string, fields: Partial<IndexedEvent> = {}) {
  const entries = new EntryList();
  entries.add({
    projectId: 1,
    hash: 'a'.repeat(32),
    at: 5,
    id: name.repeat(32),
    richness: 0,
    place: { segment: 640, ordinal: 1 },
    digest: '',
    traceId: '',
    ...fields,
  });
  return { entries, isStored: () => true };
}

/** A digit of the id of each, and whether its place is known. */
const told = ({ entries }: IndexedSlices) =>
  entries.flatMap((bytes) =>
    [...readEntries(bytes)].map(({ event, place }) => [event.toString('hex')[12], place !== undefined]),
  );

test('a batch that goes through is told with its places', () => {
  const slices = new IndexedSlices();
  for (const name of ['a', 'b']) {
    slices.note(stored(name), true);
    slices.next();
  }
  expect(told(slices)).toEqual([
    ['a', true],
    ['b', true],
  ]);
});

test('of a batch that is run again, only slices that were stored by then have places', () => {
  const slices = new IndexedSlices();
  slices.note(stored('a'), true);
  slices.next();
  // Whether the engine has its rows nobody knows.
  slices.note(stored('b'), true);
  slices.again();
  // Its payload lies elsewhere by now, and its row says where it lay.
  slices.note(stored('a', { place: { segment: 704, ordinal: 9 } }), false);
  slices.next();
  slices.note(stored('b'), false);
  slices.next();
  slices.note(stored('c'), false);
  slices.next();
  expect(told(slices)).toEqual([
    ['a', true],
    ['b', false],
    ['c', false],
  ]);
  const [first] = slices.entries;
  expect([...readEntries(first ?? new Uint8Array())][0]?.place?.readUIntBE(7, 6)).toBe(640);
});

test('rows that were not stored are left out, and what cannot be kept is said', () => {
  const slices = new IndexedSlices();
  slices.note({ ...stored('a'), isStored: () => false }, true);
  expect(slices.hasLost).toBe(false);
  slices.note(stored('b', { hash: 'no hash' }), true);
  slices.next();
  expect(told(slices)).toEqual([]);
  expect(slices.hasLost).toBe(true);
});
