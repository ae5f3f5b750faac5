import { expect, test } from 'vitest';
import type { Breadcrumb } from '../event/types.ts';
import { crumbRows, crumbText, filterCrumbs, offsetLabel } from './crumbs.ts';

const crumb = (fields: Partial<Breadcrumb>): Breadcrumb => ({
  type: 'default',
  category: null,
  level: 'info',
  message: null,
  data: null,
  timestamp: null,
  eventId: null,
  ...fields,
});

test('requests, navigations and messages read as one line', () => {
  expect(crumbText(crumb({ category: 'fetch', data: { method: 'GET', url: '/stock', status_code: 200 } }))).toBe(
    'GET /stock [200]',
  );
  expect(crumbText(crumb({ category: 'navigation', data: { from: '/a', to: '/b' } }))).toBe('/a → /b');
  expect(crumbText(crumb({ message: 'low stock', data: { arguments: ['x'] } }))).toBe('low stock');
  expect(crumbText(crumb({ data: { a: 1 } }))).toBe('{"a":1}');
  expect(crumbText(crumb({}))).toBe('');
});

test('times are seen from the error', () => {
  const [first, second] = crumbRows(
    [crumb({ timestamp: '2026-11-21T00:00:00.000Z' }), crumb({ timestamp: 'nonsense' })],
    Date.parse('2026-11-21T00:00:01.240Z'),
  );
  expect(offsetLabel(first?.offsetMs ?? null)).toBe('−1.2\u00a0s');
  expect(second?.offsetMs).toBeNull();
  expect([
    offsetLabel(-340),
    offsetLabel(0),
    offsetLabel(-240_000),
    offsetLabel(-7_200_000),
    offsetLabel(null),
  ]).toEqual(['−340\u00a0ms', '0\u00a0ms', '−4\u00a0min', '−2\u00a0h', '']);
});

test('filters by text, category and level together', () => {
  const rows = crumbRows(
    [
      crumb({ category: 'console', level: 'warning', message: 'Low stock' }),
      crumb({ category: 'fetch', data: { url: '/stock', sku: 'A-1' } }),
    ],
    0,
  );
  expect(filterCrumbs(rows, { text: 'STOCK', category: '', level: '' })).toHaveLength(2);
  expect(filterCrumbs(rows, { text: 'a-1', category: '', level: '' })).toHaveLength(1);
  expect(filterCrumbs(rows, { text: '', category: 'console', level: 'warning' })).toHaveLength(1);
  expect(filterCrumbs(rows, { text: '', category: 'console', level: 'error' })).toHaveLength(0);
});
