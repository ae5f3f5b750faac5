import { expect, test } from 'vitest';
import { originOf } from './way-back.ts';

const at = (...paths: readonly string[]): number =>
  originOf(
    [...paths, '/issues/WEB-1'].map((path) => `http://127.0.0.1:7420${path}`),
    paths.length,
  );

test('an issue goes back to the list, past what was read on the way', () => {
  expect(at('/', '/issues?q=level%3Aerror&cursor=2')).toBe(1);
  expect(at('/issues?q=a', '/issues/WEB-1', '/issues/WEB-1?event=4f', '/traces/0af7?span=b7')).toBe(0);
  expect(at('/issues', '/releases/shop%401.0.0')).toBe(1);
  expect(at('/traces', '/traces/0af7')).toBe(0);
});

test('an issue that was opened directly has no page to go back to', () => {
  expect(at()).toBe(-1);
  expect(at('/sign-in?next=%2Fissues%2FWEB-1')).toBe(-1);
  expect(at('/setup', '/issues/WEB-2')).toBe(-1);
  expect(originOf([null, 'http://127.0.0.1:7420/issues/WEB-1'], 1)).toBe(-1);
});
