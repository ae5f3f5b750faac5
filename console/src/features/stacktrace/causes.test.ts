import { expect, test } from 'vitest';
import type { Frame } from '../event/types.ts';
import { causesOf, causeWords, fileName, uploadCommand } from './causes.ts';
import { minifiedOf } from './as-sent.ts';
import { unresolvedOf } from './mapped.ts';

const frame = (
  data: Record<string, unknown> | null,
  lineNo: number | null = 1,
  colNo: number | null = 20_411,
): Frame => ({
  filename: 'index-3f.js',
  absPath: 'https://shop.example.com/assets/index-3f.js?v=1',
  module: null,
  package: null,
  platform: null,
  function: 't',
  rawFunction: null,
  lineNo,
  colNo,
  inApp: true,
  context: [],
  vars: null,
  instructionAddr: null,
  symbolAddr: null,
  trust: null,
  sourceLink: null,
  data,
});
const unresolved = (
  code: string,
  more: Record<string, unknown> = {},
  ...at: [(number | null)?, (number | null)?]
): Frame => frame({ unresolved: { code, ...more } }, ...at);
const place = { url: 'http://localhost:7420', org: 'acme', project: 'web', release: 'web@1.0.0', dist: '' };
const id = 'e1db7370-24b8-5083-8878-0d8a612d1538';

test('data of frames is read without trust', () => {
  expect(minifiedOf(frame(null))).toBeUndefined();
  expect(minifiedOf(frame({ raw: 'x' }))).toBeUndefined();
  expect(
    minifiedOf(
      frame({
        sourcemap: 'a.js.map',
        raw: { abs_path: 'http://x/a.js', lineno: 1, colno: 7, function: 't', filename: 5 },
      }),
    ),
  ).toEqual({ location: 'http://x/a.js:1:7', function: 't', map: 'a.js.map' });
  expect(unresolvedOf(frame({ unresolved: { code: 'of another version' } }))).toBeUndefined();
  expect(unresolvedOf(unresolved('no_map', { url: 7 }))).toMatchObject({
    code: 'no_map',
    url: 'https://shop.example.com/assets/index-3f.js?v=1',
    debugId: '',
  });
});

test('fifty frames of one trouble are one cause; files of one cause are counted once', () => {
  const frames = [
    ...Array.from({ length: 50 }, () => unresolved('no_artifact', { debug_id: id })),
    unresolved('no_artifact', { debug_id: id.replace('e1', 'e2'), url: 'https://shop.example.com/assets/vendor.js' }),
    unresolved('no_artifact'),
    unresolved('no_position', {}, null, null),
    frame(null),
  ];
  const causes = causesOf(frames);
  expect(causes.map(({ code, byDebugId, frames: count, files }) => [code, byDebugId, count, files.length])).toEqual([
    ['no_artifact', true, 51, 2],
    ['no_artifact', false, 1, 1],
  ]);
});

function words(one: Frame, release = place.release): string {
  const [cause] = causesOf([one]);
  if (!cause) throw new Error('no cause');
  return causeWords(cause, release).wrong;
}

test('each cause says what is wrong with which file', () => {
  expect(words(unresolved('no_artifact', { debug_id: id }))).toBe(`No artifact has debug ID ${id}.`);
  expect(words(unresolved('no_artifact'))).toBe('index-3f.js is not uploaded for release web@1.0.0.');
  expect(words(unresolved('no_artifact'), '')).toBe('index-3f.js has no debug ID, and the event has no release.');
  expect(words(unresolved('no_map'))).toBe('index-3f.js is uploaded without a source map.');
  expect(words(unresolved('map_invalid', { detail: 'the mappings end within a number.' }))).toBe(
    'The source map of index-3f.js is unusable: the mappings end within a number.',
  );
  expect(words(unresolved('no_mapping'))).toBe('The source map of index-3f.js has no mapping for 1:20411.');
  expect(words(unresolved('no_source'))).toBe('The source map of index-3f.js has no source text.');
});

function command(one: Frame, changes: Partial<typeof place> = {}): string {
  const [cause] = causesOf([one]);
  if (!cause) throw new Error('no cause');
  return uploadCommand(cause, { ...place, ...changes });
}

test('the command is the one that mends it, and safe to paste', () => {
  expect(command(unresolved('no_artifact', { debug_id: id }))).toBe(
    'export SENTRY_URL=http://localhost:7420\nnpx @sentry/cli sourcemaps upload --org acme --project web ./dist',
  );
  expect(command(unresolved('no_artifact'), { dist: '99' })).toContain(
    "upload --org acme --project web --release web@1.0.0 --dist 99 --url-prefix '~/assets/' ./dist",
  );
  expect(command(unresolved('no_artifact'), { release: '' })).toContain('npx @sentry/cli sourcemaps inject ./dist\n');
  expect(command(unresolved('no_artifact'), { release: "x'; rm -rf / #" })).toContain(
    String.raw`--release 'x'\''; rm -rf / #'`,
  );
  expect(command(unresolved('no_artifact', { url: 'app:///main.js' }))).toContain("--url-prefix '~/'");
  expect(fileName('https://x/a/b.js?c/d#e')).toBe('b.js');
  expect(fileName('')).toBe('this file');
});

test('obfuscated Java asks for its mapping, once for all of its frames', () => {
  const unresolved = { code: 'no_artifact', debug_id: '6dc7fdb0-d2fb-4c8e-9d6b-bb1aa98929b1', kind: 'mapping' };
  const java = ['A.java', 'SourceFile'].map((filename) => ({ ...frame({ unresolved }), filename, absPath: filename }));
  const causes = causesOf(java);
  expect(causes).toHaveLength(1);
  const [cause] = causes;
  if (!cause) throw new Error('no cause');
  expect(cause.frames).toBe(2);
  expect(causeWords(cause, '').wrong).toBe('No ProGuard mapping has UUID 6dc7fdb0-d2fb-4c8e-9d6b-bb1aa98929b1.');
  expect(uploadCommand(cause, place)).toContain(
    'proguard upload --org acme --project web --uuid 6dc7fdb0-d2fb-4c8e-9d6b-bb1aa98929b1 mapping.txt',
  );
});
