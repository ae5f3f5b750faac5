import { beforeAll, expect, test } from 'vitest';
import { breaksBetween } from './compare.ts';
import { currentSurface, lastSurface } from './current.ts';
import { declaredChanges } from './declared-changes.ts';
import { fromText, type Surface, toText } from './surface.ts';

let current: Surface;
beforeAll(async () => {
  current = await currentSurface();
});

test('the API keeps what the last version had, but for what is declared in declared-changes.ts', () => {
  const breaks = breaksBetween(lastSurface(), current);
  expect(breaks).toEqual(declaredChanges.map(({ change }) => change).toSorted());
  for (const { why } of declaredChanges) expect(why).toMatch(/\w+ \w+/);
});

test('its surface as text says all of it', () => {
  expect(current.calls.size).toBeGreaterThan(200);
  const text = toText(current);
  expect(toText(fromText(text))).toBe(text);
  expect(breaksBetween(current, fromText(text))).toEqual([]);
});
