import { expect, test } from 'vitest';
import {
  previewEvent,
  previewLog,
  previewSpan,
  readOwnRules,
  type ScrubSettings,
} from '../../process/steps/scrub/index.ts';
import { selectorOf } from './selectors.ts';
import type { SampledTable } from './sample.ts';
import { sizedEvent } from './sizes.ts';

const names = ['plain', 'http.request.header.x', "it's", 'with space', '0', '日本', '*', '$string', '__proto__'];

/** Paths of what the rule changes that is offered. */
function changed(table: SampledTable, name: string): readonly string[] {
  const selector = selectorOf(table, name) ?? '';
  const scrubRules = JSON.stringify({ applications: { [selector]: ['@anything:remove'] } });
  expect(readOwnRules(scrubRules, { prefix: 'project', hashKey: '' }).problems, selector).toEqual([]);
  const settings = { scrubRules } as ScrubSettings;
  const values = Object.fromEntries(names.map((each) => [each, 'a value']));
  const data = { name: 'GET /', transaction: '/', attributes: values };
  if (table === 'spans') return previewSpan(data, settings).changes.map(({ path }) => path);
  const log = { body: 'text', attributes: values };
  const { changes } = table === 'logs' ? previewLog(log, settings) : previewEvent(event, settings);
  return changes.map(({ path }) => path);
}

const own = Object.fromEntries(names.map((name) => [name, { in: { it: 'a value' } }]));
const event = JSON.stringify({
  tags: names.map((name) => [name, 'a value']),
  extra: own,
  contexts: { ...own, device: { model: 'x' }, trace: { trace_id: 'x' } },
});

test.each(names)('the attribute %j is removed by the rule that is offered, and nothing else is', (name) => {
  expect(changed('spans', name)).toEqual([`data.${name}`]);
  expect(changed('logs', name)).toEqual([`attributes.${name}`]);
  expect(changed('errors', `extra.${name}`)).toEqual([`extra.${name}`]);
  expect(changed('errors', `contexts.${name}`)).toEqual([`contexts.${name}`]);
  expect(changed('errors', `tags.${name}`)).toEqual([`tags.${names.indexOf(name)}.1`]);
});

test('what is measured of an event has a rule, but for what an event is found by', () => {
  const measured = [...sizedEvent(event).attributes.keys()];
  expect(measured.filter((name) => selectorOf('errors', name) === null)).toEqual(['contexts.trace']);
  expect(changed('errors', 'contexts.device')).toEqual(['contexts.device']);
});

test('texts, and names that are cut, have none', () => {
  expect([selectorOf('logs', 'body'), selectorOf('spans', 'description')]).toEqual([null, null]);
  expect(selectorOf('spans', 'x'.repeat(200))).toBeNull();
  expect(selectorOf('errors', 'extra.')).toBeNull();
});
