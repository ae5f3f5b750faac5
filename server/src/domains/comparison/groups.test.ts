import { expect, test } from 'vitest';
import { groupsOf, type Issue, type Pair } from './groups.ts';

const issue = (id: string): Issue => ({ id, shortId: id.toUpperCase(), title: id, url: `/${id}` });
const pairs = (...all: string[]): Pair[] =>
  all.map((pair) => {
    const [ours = '', theirs = ''] = pair.split('-');
    return { ours: issue(ours), theirs: issue(theirs) };
  });
const shapes = (...all: string[]) =>
  groupsOf(pairs(...all)).map(({ kind, ours, theirs, events }) => [
    kind,
    ours.map(({ id, events: n }) => `${id}×${n}`).join(),
    theirs.map(({ id, events: n }) => `${id}×${n}`).join(),
    events,
  ]);

test('the same, split, merged and mixed', () => {
  expect(shapes()).toEqual([]);
  expect(shapes('a-x', 'a-x')).toEqual([['same', 'a×2', 'x×2', 2]]);
  expect(shapes('a-x', 'a-y', 'a-y')).toEqual([['split', 'a×3', 'y×2,x×1', 3]]);
  expect(shapes('a-x', 'b-x')).toEqual([['merged', 'a×1,b×1', 'x×2', 2]]);
  expect(shapes('a-x', 'a-y', 'b-y')).toEqual([['mixed', 'a×2,b×1', 'y×2,x×1', 3]]);
});

test('what differs comes first, then what is larger; the same id on both sides is two issues', () => {
  expect(shapes('1-1', '1-1', '1-1', '2-2', '3-3', '3-4', '5-6', '7-6', '5-6').map(([kind]) => kind)).toEqual([
    'merged',
    'split',
    'same',
    'same',
  ]);
});
