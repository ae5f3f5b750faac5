import { expect, test } from 'vitest';
import { releaseMarks } from './release-marks.ts';

const release = (version: string, dateReleased: string | null, dateCreated: string | null = null) => ({
  version,
  shortVersion: version.slice(-1),
  status: 'open',
  url: null,
  dateCreated,
  dateReleased,
});

test('the first and the last release stand at their time, one that is both once', () => {
  const first = release('shop@1', '1970-01-01T00:01:00Z');
  const last = release('shop@2', null, '1970-01-01T00:02:00Z');
  expect(releaseMarks({ firstRelease: first, lastRelease: last })).toEqual([
    { at: 60, version: 'shop@1', label: '1', detail: 'Release shop@1' },
    { at: 120, version: 'shop@2', label: '2', detail: 'Release shop@2' },
  ]);
  expect(releaseMarks({ firstRelease: first, lastRelease: first })).toHaveLength(1);
});

test('without a time, or a release, there is no mark', () => {
  expect(releaseMarks({ firstRelease: release('shop@1', null), lastRelease: null })).toEqual([]);
});
