import { expect, test } from 'vitest';
import { isStaleChunk } from './stale-chunk.ts';

const named = (name: string, message = 'x') => Object.assign(new Error(message), { name });

test.each<[string, unknown, boolean]>([
  ['Chromium', new TypeError('Failed to fetch dynamically imported module: https://a/b.js'), true],
  ['Firefox', new TypeError('error loading dynamically imported module: https://a/b.js'), true],
  ['Safari', new TypeError('Importing a module script failed.'), true],
  ['Vite, for a stylesheet', new Error('Unable to preload CSS for /assets/a.css'), true],
  ['webpack', named('ChunkLoadError', 'Loading chunk 7 failed.'), true],
  ['webpack, for a stylesheet', new Error('Loading CSS chunk 7 failed.'), true],
  ['Turbopack', named('ChunkLoadError', 'Failed to load chunk /_next/a.js'), true],
  ['the guard', named('ScriptLoadError'), true],
  ['a failed request', new TypeError('Failed to fetch'), false],
  ['another error', new Error('the chunk of meat is loading'), false],
  ['a text', 'ChunkLoadError', false],
  ['nothing', undefined, false],
  ['what cannot be text', { name: Symbol('x'), message: 7n }, false],
])('%s', (_name, error, expected) => {
  expect(isStaleChunk(error)).toBe(expected);
});
