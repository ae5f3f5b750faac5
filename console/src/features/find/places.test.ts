import { expect, test } from 'vitest';
import { around, digestOfFilter, filterOf, freshSearch, narrowed, placeOf, tracePlaceOf, without } from './places.ts';
import type { FindAnswer } from './queries.ts';
import { sinceText } from './since.ts';
import { countdown, droppedText, visitsText } from './words.ts';

const cause = (shortId: string) => ({ issue: { shortId }, event: { id: 'e1' } });
const answer = (fields: object): FindAnswer => fields as FindAnswer;

test('one issue is gone to, on the newest event, with the digest as filter', () => {
  const one = { kind: 'cause', matchedBy: 'digest', value: '1930860604', causes: [cause('WEB-1')], more: 0 };
  expect(placeOf(answer(one))).toEqual({ issue: 'WEB-1', event: 'e1', q: 'digest:1930860604' });
  expect(placeOf(answer(one), { range: '24h' })?.q).toBe('digest:1930860604 timestamp:-24h');
  expect(placeOf(answer({ ...one, matchedBy: 'event' }))).toEqual({ issue: 'WEB-1', event: 'e1', q: undefined });
  expect(placeOf(answer({ kind: 'issue', issue: { shortId: 'WEB-2' } }))).toEqual({ issue: 'WEB-2' });
});

test('where there is something to choose or explain, Find stays', () => {
  const several = { kind: 'cause', matchedBy: 'digest', value: '1', causes: [cause('WEB-1'), cause('WEB-2')], more: 0 };
  for (const stays of [several, { ...several, causes: [cause('WEB-1')], more: 3 }, { kind: 'nothing' }])
    expect(placeOf(answer(stays))).toBeUndefined();
});

test('a trace without errors is gone to; one with an error stays to show both', () => {
  const trace = { id: 't', start: '2026-11-21T02:10:07.900Z', span: { id: 's' } };
  const found = answer({ kind: 'trace', matchedBy: 'span', value: 's', trace });
  expect(tracePlaceOf(found)).toEqual({ trace: 't', span: 's', at: Date.parse('2026-11-21T02:10:07Z') / 1000 });
  expect(tracePlaceOf(answer({ kind: 'trace', trace: { ...trace, span: null } }))?.span).toBeUndefined();
  expect(placeOf(found)).toBeUndefined();
  expect(tracePlaceOf(answer({ kind: 'nothing' }))).toBeUndefined();
  const traced = { kind: 'cause', matchedBy: 'trace', value: 't', causes: [{ ...cause('WEB-1'), trace }], more: 0 };
  expect(placeOf(answer(traced))).toBeUndefined();
  expect(placeOf(answer({ ...traced, causes: [{ ...cause('WEB-1'), trace: null }] }))?.issue).toBe('WEB-1');
  expect(placeOf(answer({ ...traced, matchedBy: 'digest' }))?.issue).toBe('WEB-1');
});

test('a time range goes into the filter of events and comes back out of it', () => {
  const scope = around(new Date('2026-11-21T02:10:00Z'));
  const q = filterOf('digest', '1930860604', scope);
  expect(q).toBe('digest:1930860604 timestamp:>=2026-11-21T01:10:00.000Z timestamp:<2026-11-21T03:10:00.000Z');
  expect(digestOfFilter(q)).toEqual({ digest: '1930860604', scope });
  expect(digestOfFilter(narrowed(`${q} release:4f2c1`, { range: '1h' }))).toEqual({
    digest: '1930860604',
    scope: { range: '1h' },
  });
  expect(narrowed(q, {})).toBe('digest:1930860604');
});

test('a filter without a digest has none', () => {
  for (const query of ['', 'release:1', '!digest:5', 'digest:', 'digest:abc', 'text digest:']) {
    expect(digestOfFilter(query)).toBeUndefined();
  }
  expect(digestOfFilter('digest:5 timestamp:>=x')).toEqual({ digest: '5', scope: {} });
  expect(digestOfFilter('digest:5 timestamp:-1y')).toEqual({ digest: '5', scope: {} });
});

test('a chip that is removed takes its part out of the text', () => {
  const text = 'while loading shop.example.com (see the server logs) Digest: 1930860604';
  const start = text.indexOf('shop');
  expect(without(text, { start, end: start + 'shop.example.com'.length })).toBe(
    'while loading (see the server logs) Digest: 1930860604',
  );
});

test('asking anew names every filter, so that none is carried along', () => {
  expect(Object.keys(freshSearch('x')).toSorted()).toEqual(['end', 'environment', 'project', 'q', 'range', 'start']);
});

test('words', () => {
  expect(visitsText({ visits: { count: 14, unit: 'traces' }, estimated: { low: 9, high: 20 } })).toBe('14 visits');
  expect(visitsText({ visits: { count: 1, unit: 'events' }, estimated: null })).toBe('1 event');
  expect(visitsText({ visits: { count: 400, unit: 'events' }, estimated: { low: 280, high: 520 } })).toBe(
    'about 400 (280–520) events',
  );
  expect(
    droppedText([
      { projectSlug: 'web', outcome: 'rate_limited', reason: 'key_quota', quantity: 212 },
      { projectSlug: 'web', outcome: 'invalid', reason: '', quantity: 3 },
    ]),
  ).toBe('Rate limited: 212 (key_quota). Invalid: 3.');
  expect([countdown(118_000), countdown(59_001), countdown(-5)]).toEqual(['1:58', '1:00', '0:00']);
});

test('since when: the clock of today, else the day', () => {
  const now = new Date(2026, 10, 21, 12).getTime();
  expect(sinceText(new Date(2026, 10, 21, 2, 10).getTime(), now)).toBe('02:10');
  expect(sinceText(new Date(2026, 10, 18, 2, 10).getTime(), now)).toMatch(/^Nov 18, 02:10$/);
  expect(sinceText(new Date(2024, 10, 18).getTime(), now)).toBe('Nov 18, 2024');
  expect(sinceText(Number.NaN, now)).toBe('unknown time');
});
