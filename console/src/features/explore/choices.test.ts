import { expect, test } from 'vitest';
import { aggregateChoices, attributesOf, isDrawn, nextAxis, withAttribute, withFunction } from './choices.ts';
import { dataSetNames, dataSets } from './data-sets.ts';
import { parseField } from '@culprit/search';

test('aggregates that can be chosen are whole with at most an attribute', () => {
  for (const dataSet of dataSetNames) {
    const attributes = attributesOf(dataSet, []);
    const choices = aggregateChoices(dataSet);
    expect(choices.length).toBeGreaterThan(10);
    for (const choice of choices) {
      const axis = withFunction('count()', choice, dataSet, attributes);
      expect(parseField(axis, dataSets[dataSet].keys), axis).not.toHaveProperty('code');
    }
    expect(choices.find(({ name }) => name === 'count')?.takes).toBe('nothing');
    expect(choices.map(({ name }) => name)).not.toContain('count_if');
  }
});

test('what is offered is known to the language', () => {
  for (const dataSet of dataSetNames) {
    const { fields, groups, keys } = dataSets[dataSet];
    const axes: string[] = [];
    for (let count = 0; count < 4; count += 1) axes.push(nextAxis(dataSet, axes));
    expect(new Set(axes).size).toBe(4);
    for (const field of [...fields, ...groups, ...axes])
      expect(parseField(field, keys), `${field} of ${dataSet}`).not.toHaveProperty('code');
  }
});

test('only numbers are drawn', () => {
  expect(isDrawn('count()', 'errors')).toBe(true);
  expect(isDrawn('p95(span.duration)', 'spans')).toBe(true);
  expect(isDrawn('last_seen()', 'errors')).toBe(false);
  expect(isDrawn('any(level)', 'errors')).toBe(false);
});

test('attributes of the table come before what was sent, each once', () => {
  const attributes = attributesOf('spans', [
    { key: 'cart.size', type: 'number' },
    { key: 'beta', type: 'text' },
    { key: 'span.op', type: 'text' },
  ]);
  expect(attributes.slice(-2)).toEqual([
    { name: 'beta', isNumber: false },
    { name: 'cart.size', isNumber: true },
  ]);
  expect(attributes.filter(({ name }) => name === 'span.op')).toHaveLength(1);
  expect(attributes.find(({ name }) => name === 'span.duration')?.isNumber).toBe(true);
});

test('another function keeps an attribute that fits it', () => {
  const attributes = attributesOf('spans', []);
  const sum = { name: 'sum', description: '', takes: 'number' } as const;
  const unique = { name: 'count_unique', description: '', takes: 'key' } as const;
  expect(withFunction('p95(span.self_time)', sum, 'spans', attributes)).toBe('sum(span.self_time)');
  expect(withFunction('count_unique(span.op)', sum, 'spans', attributes)).toBe('sum(span.duration)');
  expect(withFunction('sum(span.duration)', unique, 'spans', attributes)).toBe('count_unique(span.duration)');
  expect(withFunction('count()', unique, 'errors', attributesOf('errors', []))).toMatch(/^count_unique\([a-z.]+\)$/);
  expect(withAttribute('percentile(span.duration,0.5)', 'span.self_time')).toBe('percentile(span.self_time,0.5)');
});
