import { afterEach, expect, test, vi } from 'vitest';

// Files that run after this one in its worker must not find modules that took the page for one from right to left.
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test('a number and its unit keep their order where the page runs from right to left', async () => {
  vi.stubGlobal('document', { documentElement: { lang: 'en', dir: 'rtl' } });
  vi.resetModules();
  const { duration } = await import('./durations.ts');
  const { byteSize, percent, percentage, times } = await import('./numbers.ts');
  const { shortDistance } = await import('./relative-time.ts');
  expect([duration(60_000), byteSize(1_500), times(3.1), percent(1, 1_000)]).toEqual([
    '\u206660\u00a0ms\u2069',
    '\u20661.5\u00a0kB\u2069',
    '\u20663.1×\u2069',
    '\u2066<1%\u2069',
  ]);
  // As one: two parts would change places.
  expect(duration(125_000_000)).toBe('\u2066\u20662\u00a0min\u2069 \u20665\u00a0s\u2069\u2069');
  expect(shortDistance(0, 60_000)).toMatch(/^\u20661\u00a0.+\u2069$/);
  // Digits and a sign that belongs to them need nothing.
  expect(percentage(0.5)).toBe('50%');
});
