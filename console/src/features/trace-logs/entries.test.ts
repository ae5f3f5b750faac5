import { describe, expect, test } from 'vitest';
import { testTrace } from '../waterfall/testing.ts';
import { entriesOf, filterEntries, markWords } from './entries.ts';

type Waterfall = Parameters<typeof entriesOf>[0];

const log = (offsetUs: number, message: string, overrides: Partial<Waterfall['logs'][number]> = {}) => ({
  id: 'a'.repeat(32),
  row: 0,
  offsetUs,
  level: 'info',
  message,
  service: '',
  projectId: '1',
  ...overrides,
});
const trace = testTrace([{ id: 'page' }, { id: 'price', service: '' }], {
  logs: [
    log(10, 'Cart loaded'),
    log(10, 'Cart loaded'),
    log(30, 'price read', { level: 'trace', row: 1 }),
    log(20, 'Stock LOW', { level: 'warn', service: 'api', row: -1 }),
  ],
  errors: [
    {
      eventId: 'e1',
      issueId: '1',
      shortId: 'SHOP-1',
      projectId: '1',
      row: 0,
      offsetUs: 10,
      title: '',
      culprit: '',
      level: 'error',
    },
  ],
});

test('logs and errors stand in one order, an error after the logs of its moment', () => {
  const entries = entriesOf(trace);
  expect(entries.map(({ kind, text, service }) => `${kind} ${text} (${service})`)).toEqual([
    'log Cart loaded (web)',
    'log Cart loaded (web)',
    'error Untitled error (web)',
    'log Stock LOW (api)',
    'log price read (shop)',
  ]);
  expect(new Set(entries.map(({ key }) => key)).size).toBe(5);
});

describe('the filter', () => {
  const texts = (text: string, level: 'error' | 'warning' | 'debug' | '' = ''): string[] =>
    filterEntries(entriesOf(trace), { text, level }).map((entry) => entry.text);

  test('words all have to be there, in the text or the service', () => {
    expect(texts('cart LOADED')).toHaveLength(2);
    expect(texts('low api')).toEqual(['Stock LOW']);
    expect(texts('  ')).toHaveLength(5);
    expect(texts('nothing')).toEqual([]);
  });

  test('a level takes in what is worse', () => {
    expect(texts('', 'warning')).toEqual(['Untitled error', 'Stock LOW']);
    expect(texts('', 'error')).toEqual(['Untitled error']);
    expect(texts('', 'debug')).toHaveLength(4);
  });
});

test('words are marked where they stand', () => {
  const marked = (text: string, search: string): string =>
    markWords(text, search)
      .map((piece) => (piece.hit ? `[${piece.text}]` : piece.text))
      .join('');
  expect(marked('Cart loaded in the cart', 'cart')).toBe('[Cart] loaded in the [cart]');
  expect(marked('aaa', 'aa a')).toBe('[aa][a]');
  expect(marked('plain', '')).toBe('plain');
  expect(marked('İstanbul', 'stan')).toBe('İstanbul');
  expect(marked('', 'x')).toBe('');
});
