import { expect, test } from 'vitest';
import { artifactState, mapsText } from './artifact-words.ts';

const artifact = { mapped: true, problem: null, scriptSize: 10, mapSize: 20, framesResolved: 0 };

test('each state of a file has its word, and what mends it', () => {
  expect(artifactState({ ...artifact, framesResolved: 3 })).toEqual({ kind: 'ok', word: 'in use', mend: '' });
  expect(artifactState(artifact).word).toBe('ready, not needed yet');
  expect(artifactState({ ...artifact, mapped: false, problem: 'The map ends too early.' })).toEqual({
    kind: 'bad',
    word: 'unusable',
    mend: 'The map ends too early.',
  });
  expect(artifactState({ ...artifact, mapped: false }).mend).toContain('upload the map together with the file');
  expect(mapsText({ scripts: 7, mapped: 6 })).toBe('6 of 7 files have a usable source map');
  expect(mapsText({ scripts: 1, mapped: 1 })).toBe('1 of 1 file has a usable source map');
});
