import { expect, test } from 'vitest';
import { sourceMapsCheck } from './check.ts';

const none = { state: 'none' as const, detail: null, scripts: 0, mapped: 0, lastUpload: null };
const uploaded = { ...none, state: 'ok' as const, scripts: 2, mapped: 2, lastUpload: '2026-11-21T02:10:00Z' };
const event = (mapped: number, unresolved: number) => ({
  symbolication: { mapped, unresolved },
  entries: [],
  release: null,
});

test('the step waits, works, complains and turns green', () => {
  expect(sourceMapsCheck(none, undefined).title).toBe('Waiting for the first upload…');
  expect(sourceMapsCheck(uploaded, undefined)).toMatchObject({
    kind: 'waiting',
    title: 'Waiting for an event of this build…',
    detail: '2 of 2 files have a usable source map.',
  });
  expect(sourceMapsCheck({ ...uploaded, state: 'indexing' }, event(0, 7)).kind).toBe('working');
  expect(sourceMapsCheck({ ...uploaded, state: 'error', detail: 'The bundle is no zip.' }, undefined)).toMatchObject({
    kind: 'bad',
    title: 'The last upload was rejected',
    detail: 'The bundle is no zip.',
  });
  expect(sourceMapsCheck(none, event(0, 7))).toMatchObject({
    kind: 'bad',
    title: '0 of 7 frames of the last event resolved',
    ofEvent: true,
  });
  expect(sourceMapsCheck(uploaded, event(7, 0))).toMatchObject({
    kind: 'ok',
    title: '7 of 7 frames of the last event resolved',
  });
});
