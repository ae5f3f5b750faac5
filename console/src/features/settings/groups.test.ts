import { expect, test } from 'vitest';
import { placeIds, places } from '../places/places.ts';
import { groups } from './groups.ts';

test('each of the settings is in one group', () => {
  const all = placeIds.filter((id) => id !== 'settings' && places[id].to.startsWith('/settings/'));
  expect(groups.flatMap(({ ids }) => ids).toSorted()).toEqual(all.toSorted());
});
