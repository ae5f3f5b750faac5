import { completionsAt, parseSearch } from '@culprit/search';
import { expect, test } from 'vitest';
import type { OptionSources } from './option.ts';
import { optionsFor } from './options.ts';

const sources: OptionSources = {
  fields: [
    { key: 'level', kind: 'field', type: 'text', totalValues: null },
    { key: 'browser.name', kind: 'tag', type: 'text', totalValues: 1200 },
    { key: 'tags[level]', kind: 'tag', type: 'text', totalValues: 7 },
    { key: 'my key', kind: 'tag', type: 'text', totalValues: 1 },
  ],
  values: [
    { value: 'error', count: 1500, sampled: true },
    { value: 'Mobile Safari', count: 12, sampled: true },
    { value: 'a*b', count: 1, sampled: true },
  ],
  projects: [
    { slug: 'web', name: 'Web shop' },
    { slug: 'api', name: 'api' },
  ],
  recent: ['level:error'],
  saved: [{ id: '7', name: 'Checkout', query: 'transaction:/checkout' }],
  rangeWords: 'Last 14 days',
  now: new Date('2026-02-03T12:00:00Z'),
};
/** At the end of a text, or at the bar in it. */
function offered(marked: string, dataSet: 'issues' | 'spans' = 'issues') {
  const offset = marked.includes('|') ? marked.indexOf('|') : marked.length;
  const query = marked.replace('|', '');
  return optionsFor(completionsAt(query, offset, dataSet), query, dataSet, sources);
}
const labels = (options: readonly { label: string }[]): string[] => options.map(({ label }) => label);

test('an empty box offers what was saved and searched, then fields worth knowing, then tags of the data', () => {
  const options = offered('');
  expect([...new Set(options.map(({ section }) => section))]).toEqual([
    'Saved searches',
    'Recent searches',
    'Fields',
    'Tags',
    'More fields',
  ]);
  expect(options[0]).toMatchObject({ label: 'Checkout', gives: 'query', text: 'transaction:/checkout' });
  expect(options.find(({ label }) => label === 'is')).toMatchObject({ text: 'is:', gives: 'more', note: 'choice' });
  expect(options.find(({ label }) => label === 'browser.name')).toMatchObject({ note: '1,200' });
  expect(options.length).toBeLessThanOrEqual(60);
});

test('within a query there is something to combine it with, and no other search', () => {
  const options = offered('level:error ');
  expect(labels(options)).toContain('OR');
  expect(options.some(({ gives }) => gives === 'query')).toBe(false);
});

test('names are found by their beginning, by a word in them, by what they are about', () => {
  expect(labels(offered('lev'))[0]).toBe('level');
  expect(labels(offered('type'))).toContain('error.type');
  expect(labels(offered('severity'))).toContain('level');
  expect(offered('zzzz')).toEqual([]);
  expect(offered('my').find(({ label }) => label === 'my key')?.text).toBe('"my key":');
});

test('has: is followed by a name', () => {
  const options = offered('has:bro');
  expect(options[0]).toMatchObject({ label: 'browser.name', text: 'browser.name', gives: 'term' });
  expect(labels(offered('has:'))).not.toContain('is');
});

test('values that are known stand before those of the data, each once and with its count', () => {
  const options = offered('level:');
  expect(labels(options).filter((label) => label === 'error')).toHaveLength(1);
  expect(options.find(({ label }) => label === 'error')).toMatchObject({ section: 'Values', note: '1,500' });
  expect(options.find(({ label }) => label === 'Mobile Safari')).toMatchObject({
    section: 'Last 14 days, from a sample',
    text: '"Mobile Safari"',
  });
  expect(labels(offered('browser.name:safari'))).toEqual(['Mobile Safari']);
  expect(offered('level:').find(({ label }) => label === 'a*b')?.text).toBe(String.raw`a\*b`);
});

test('dates are in words, comparisons and booleans offered', () => {
  expect(offered('age:').find(({ label }) => label === '-24h')?.detail).toBe('in the last 24 hours');
  expect(offered('age:').find(({ label }) => label === '+30d')?.detail).toBe('more than 30 days ago');
  expect(labels(offered('timestamp:'))).toContain('2026-02-03');
  expect(offered('timesSeen:').find(({ label }) => label === '>=')).toMatchObject({ text: '>=', gives: 'more' });
  expect(labels(offered('error.handled:'))).toEqual(['true', 'false']);
  expect(labels(offered('project:'))).toEqual(['web', 'api']);
});

test('what stands beside decides how a choice is written', () => {
  expect(offered('le|:error')[0]?.text).toBe('level');
  expect(offered('level:[error, mob')[0]?.text).toBe('"Mobile Safari"');
  expect(labels(offered('timesSeen:>'))).toEqual(['>10', '>100', '>1k', '>', '>=']);
  expect(labels(offered('timestamp:>2026-02'))).toEqual(['2026-02-03']);
  expect(labels(offered('span.duration:>15', 'spans'))).toEqual(['15ms', '15s', '15m', '15h']);
  expect(offered('p95(span.dur', 'spans')[0]).toMatchObject({ text: 'span.duration', gives: 'more' });
  expect(offered('p9', 'spans').find(({ label }) => label === 'p95(…)')?.text).toBe('p95(');
});

test('a long query made to be slow is not', () => {
  for (const part of [':[', 'a', 'x(', '"', 'a:b,', '(['])
    expect(offered(`${part.repeat(4000 / part.length)}]`).length).toBeLessThanOrEqual(60);
});

test('whatever is chosen reads as a query without a mistake', () => {
  for (const key of [
    'is',
    'level',
    'age',
    'timestamp',
    'timesSeen',
    'error.handled',
    'project',
    'browser.name',
    'release',
  ]) {
    for (const { text, gives } of offered(`${key}:`)) {
      if (gives !== 'term') continue;
      expect(parseSearch(`${key}:${text}`, 'issues').problems, `${key}:${text}`).toEqual([]);
    }
  }
});
