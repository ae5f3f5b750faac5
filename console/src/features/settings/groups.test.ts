import { expect, test } from 'vitest';
import { placesShown } from '../places/places.ts';
import { groups } from './groups.ts';

test('each of the settings is in one group', () => {
  expect(groups.flatMap(({ ids }) => ids).toSorted()).toEqual(placesShown('settings').toSorted());
});
