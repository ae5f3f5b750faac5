/** Bundles that were not made by a build tool, or not in good faith. Each is generated here; none may harm the server. */
import { randomUUID } from 'node:crypto';
import { constants, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listArtifacts, listBundles } from './list.ts';
import { filesOf, makeBundle, makeZip, sha1, zipEnd, type ZipFile, type ZipOptions } from './testing/bundle.ts';
import { openUploads, type Uploads } from './testing/uploads.ts';

let uploads: Uploads;
beforeAll(async () => {
  uploads = await openUploads({ heapMb: 128, slowestMs: 20_000 });
});
afterAll(async () => {
  // Whoever sends such a thing is told; the server has nothing to report.
  expect(uploads.failures).toEqual([]);
  const bundle = makeBundle();
  expect(await uploads.upload(bundle)).toEqual({ state: 'ok', missingChunks: [] });
  await uploads[Symbol.asyncDispose]();
});

const mib = 1024 * 1024;
const good = (): ZipFile[] => filesOf([{ name: 'x.js', debugId: randomUUID() }]);
const manifestOf = (manifest: unknown): ZipFile[] => [
  { name: 'manifest.json', content: typeof manifest === 'string' ? manifest : JSON.stringify(manifest) },
];
const withFile = (file: ZipFile, options?: ZipOptions): Buffer => makeZip([...good(), file], options);
const described = (about: unknown): Buffer =>
  makeZip([...manifestOf({ files: { a: about } }), { name: 'a', content: 'a' }]);

/** So many zeros, deflated without ever holding them. */
const zeros = (count: number): Buffer => deflateRawSync(Buffer.alloc(count));

/** One line of 1 GB: the same deflated 16 MiB again and again, which deflate allows. */
function longLine(): Buffer {
  const piece = deflateRawSync(Buffer.alloc(16 * mib, 'a'), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array.from({ length: 64 }, () => piece), deflateRawSync(Buffer.alloc(0))]);
}

/** A directory of so many files, all of them the same one. */
function manyFiles(count: number): Buffer {
  const one = makeZip([{ name: 'f000000', content: '' }]);
  const [start, end] = [one.indexOf('PK\x01\x02', 0, 'latin1'), one.length - 22];
  const size = end - start;
  const directory = Buffer.alloc(size * count, one.subarray(start, end));
  for (let index = 0; index < count; index++)
    directory.write(String(index).padStart(6, '0'), index * size + 47, 'latin1');
  return Buffer.concat([one.subarray(0, start), directory, zipEnd(count, directory.length, start)]);
}

const refused: [name: string, bundle: () => Buffer, words: RegExp][] = [
  ['nothing', () => Buffer.from('x'), /not an artifact bundle/],
  ['some text', () => Buffer.from('hello, this is no zip at all'), /not an artifact bundle/],
  [
    'a zip without the header of a bundle',
    () => makeZip(good(), { head: new Uint8Array() }),
    /does not start with SYSB/,
  ],
  ['the header alone', () => Buffer.from('SYSB\x02\0\0\0'), /not a supported zip file/],
  ['a zip that was cut off', () => makeZip(good()).subarray(0, -30), /not a supported zip file/],
  [
    'a zip bomb',
    () => withFile({ name: 'bomb', content: '', deflated: zeros(256 * mib), bytes: 256 * mib }),
    /rejected as a zip bomb/,
  ],
  [
    'a zip bomb of many',
    () =>
      makeZip([
        ...good(),
        ...Array.from({ length: 20 }, (_, n) => ({
          name: `b${n}`,
          content: '',
          deflated: zeros(8 * mib),
          bytes: 8 * mib,
        })),
      ]),
    /rejected as a zip bomb/,
  ],
  [
    'a zip bomb that says it is small',
    () => makeZip([{ name: 'manifest.json', content: '', deflated: zeros(64 * mib), bytes: 100 }]),
    /another size than in the bundle's directory/,
  ],
  [
    'a file of 1 TB',
    () => withFile({ name: 'big', content: '', deflated: zeros(10), bytes: 0xfffffffe }),
    /the limit for a file/,
  ],
  [
    'a line of 1 GB',
    () => withFile({ name: 'line.js', content: '', deflated: longLine(), bytes: 1024 * mib }),
    /the limit for a file/,
  ],
  [
    'files that overlap and add up',
    () =>
      makeZip([
        ...good(),
        ...Array.from({ length: 20 }, (_, n) => ({
          name: `o${n}`,
          content: 'x',
          deflated: zeros(mib),
          bytes: 500 * mib,
          offset: 8,
        })),
      ]),
    /zip bomb/,
  ],
  ['a name that leads up', () => withFile({ name: '../../etc/passwd', content: 'x' }), /invalid relative path/],
  ['a name that leads up in the middle', () => withFile({ name: 'a/../../b', content: 'x' }), /invalid relative path/],
  ['an absolute name', () => withFile({ name: '/etc/passwd', content: 'x' }), /absolute path/],
  ['a name with a drive', () => withFile({ name: 'C:/windows', content: 'x' }), /absolute path/],
  ['a name with backslashes', () => withFile({ name: '..\\..\\x', content: 'x' }), /invalid characters/],
  ['a name with NUL', () => withFile({ name: 'a\0b', content: 'x' }), /not allowed/],
  ['an empty name', () => withFile({ name: '', content: 'x' }), /empty/],
  ['a very long name', () => withFile({ name: 'x'.repeat(5000), content: 'x' }), /too long/],
  [
    'two files of one name',
    () => withFile({ name: 'manifest.json', content: '{}' }),
    /two files named "manifest.json"/,
  ],
  ['an encrypted file', () => withFile({ name: 'secret', content: 'xxxxxxxxxxxxx', flags: 1, bytes: 1 }), /encrypted/],
  ['a strange compression', () => withFile({ name: 'b.bz2', content: 'x', method: 12 }), /method 12/],
  ['a file beyond the end', () => withFile({ name: 'x', content: 'x', offset: 0x7fffffff }), /beyond the end/],
  [
    'a manifest that is not where it is said to be',
    () => makeZip([{ ...good()[0]!, offset: 9 }]),
    /not at the position in the bundle's directory/,
  ],
  ['a stored file of another size', () => withFile({ name: 'x', content: 'x', bytes: 5 }), /size mismatch/],
  ['a damaged file', () => makeZip([{ name: 'manifest.json', content: '{}', crc: 1 }]), /is damaged/],
  [
    'garbage for deflate',
    () => makeZip([{ name: 'manifest.json', content: '', deflated: Buffer.from('garbage!'), bytes: 5 }]),
    /cannot be decompressed/,
  ],
  ['a million files', () => manyFiles(1_000_000), /1000000 files; the limit is 50000/],
  ['more files than it says', () => makeZip(good(), { entryCount: 60_000 }), /60000 files/],
  ['fewer files than it says', () => makeZip(good(), { entryCount: 40_000 }), /not a supported zip file/],
  ['no manifest', () => makeZip([{ name: 'x.js', content: 'x' }]), /no manifest.json/],
  [
    'a manifest of 20 MiB',
    () => makeZip([{ name: 'manifest.json', content: ' '.repeat(20 * mib) }]),
    /manifest.json of the bundle has/,
  ],
  ['a manifest that is no JSON', () => makeZip(manifestOf('{"files":')), /is not JSON/],
  ['a deep manifest', () => makeZip(manifestOf('['.repeat(200_000))), /is not JSON/],
  ['a manifest that is a list', () => makeZip(manifestOf([])), /no object "files"/],
  ['a manifest whose files are a list', () => makeZip(manifestOf({ files: [] })), /no object "files"/],
  [
    'a manifest that names what is not there',
    () => makeZip(manifestOf({ files: { 'gone.js': { type: 'source_map' } } })),
    /"gone.js", which is not in the bundle/,
  ],
  [
    'a manifest that names __proto__',
    () => makeZip(manifestOf('{"files":{"__proto__":{"type":"source_map"}}}')),
    /"__proto__", which is not/,
  ],
  ['a file that is described as null', () => described(null), /no entry for "a"/],
  ['a url that is a number', () => described({ type: 'source_map', url: 7 }), /url of "a"/],
  ['a url of 1 MiB', () => described({ type: 'source_map', url: 'x'.repeat(mib) }), /longer than/],
  ['headers that are a text', () => described({ type: 'source_map', headers: 'x' }), /headers of "a"/],
  [
    'a debug id that is none',
    () => described({ type: 'source_map', headers: { 'debug-id': 'main' } }),
    /"main", which is not a UUID/,
  ],
];

test.each(refused)('%s is refused in words', async (_, make, words) => {
  const bundle = make();
  const answer = await uploads.upload(bundle);
  expect(answer).toMatchObject({ state: 'error', missingChunks: [] });
  expect(answer.detail).toMatch(words);
  // The same again is answered at once.
  expect(await uploads.assemble(bundle)).toEqual(answer);
});

describe('maps', () => {
  const nested = (depth: number): string =>
    `${'{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(depth)}{"version":3,"sources":[],"names":[],"mappings":""}${'}]}'.repeat(depth)}`;
  const section = (line: number, column: number): string =>
    JSON.stringify({
      version: 3,
      sections: [
        { offset: { line: 0, column: 0 }, map: { version: 3, sources: ['a'], names: [], mappings: 'AAAA' } },
        { offset: { line, column }, map: { version: 3, sources: ['b'], names: [], mappings: 'AAAA' } },
      ],
    });
  const mappings = (text: string): string => JSON.stringify({ version: 3, sources: ['a'], names: [], mappings: text });

  const maps: [name: string, map: () => string | Uint8Array][] = [
    ['no JSON', () => '<!doctype html>'],
    ['nothing', () => ''],
    ['a list', () => '[]'],
    ['a number', () => '3'],
    ['another version', () => '{"version":9,"sources":[],"names":[],"mappings":""}'],
    ['sources that are no list', () => '{"version":3,"sources":7,"names":[],"mappings":"AAAA"}'],
    ['mappings that are no text', () => '{"version":3,"sources":[],"names":[],"mappings":[]}'],
    ['mappings of other letters', () => mappings('!!!!')],
    ['a source that is not there', () => mappings('AEAA')],
    ['a number without end', () => mappings('g'.repeat(100_000))],
    ['negative columns', () => mappings('DAAA')],
    ['sections within sections', () => nested(50_000)],
    ['a section at a negative line', () => section(-1, 0)],
    ['a section at no line', () => section(Number.NaN, 0)],
    ['a section that begins before the one before', () => section(-5, -5)],
    ['a deep list', () => `{"version":3,"x":${'['.repeat(1_000_000)}`],
    ['bytes that are no text', () => Uint8Array.from({ length: 5000 }, (_, index) => (index * 37) % 256)],
  ];

  async function outcomeOf(map: string | Uint8Array): Promise<{ mapped: boolean; problem: string }> {
    const bundle = makeBundle([
      { name: 'good.js', debugId: randomUUID() },
      { name: 'bad.js', debugId: randomUUID(), map },
    ]);
    expect(await uploads.upload(bundle)).toEqual({ state: 'ok', missingChunks: [] });
    const page = { offset: 0, limit: 10 };
    const [found] = await listBundles(uploads.state, uploads.projectId, { ...page, text: sha1(bundle) });
    const files = await listArtifacts(uploads.state, found?.id ?? 0, page);
    expect(files.find(({ url }) => url.endsWith('good.js'))).toMatchObject({ mapped: true, problem: '' });
    const bad = files.find(({ url }) => url.endsWith('bad.js'));
    return { mapped: bad?.mapped ?? false, problem: bad?.problem ?? '' };
  }

  test.each(maps)('%s is said to be unusable, and harms no other map of the bundle', async (_, make) => {
    const { mapped, problem } = await outcomeOf(make());
    expect(mapped).toBe(false);
    expect(problem).toMatch(/\w+ .*\w+/);
  });

  test.each([
    ['a line beyond what numbers hold', () => section(Number.MAX_SAFE_INTEGER, 0)],
    ['a million empty lines', () => mappings(`${';'.repeat(1_000_000)}AAAA`)],
    ['a line of 1 GB', () => mappings('AAAA,ggs7mcAAC')],
  ])('%s is read or refused, and harms no other map of the bundle', async (_, make) => {
    const { mapped, problem } = await outcomeOf(make());
    expect(mapped || problem !== '').toBe(true);
  });

  const manyNames = (count: number): string => {
    const names = Array.from({ length: count }, (_, index) => `name${index}`);
    const tokens = names.map((_, index) => (index === 0 ? 'AAAAA' : 'CAACC'));
    return JSON.stringify({ version: 3, sources: ['a'], names, mappings: tokens.join(',') });
  };

  // On a busy machine half a second may be too short for the other file as well.
  test('a map that does not come to an end is given up, and the others are read', { retry: 2 }, async () => {
    await using impatient = await openUploads({ slowestMs: 500 });
    const bundle = makeBundle([{ name: 'slow.js', map: manyNames(3_000_000) }, { name: 'good.js' }]);
    expect(await impatient.upload(bundle)).toEqual({ state: 'ok', missingChunks: [] });
    expect(impatient.indexer.stats()).toMatchObject({ bundles: 1, restarts: 1 });
    const files = await listArtifacts(impatient.state, 1, { offset: 0, limit: 10 });
    expect(files).toMatchObject([
      { url: '~/assets/slow.js', mapped: false, problem: expect.stringContaining('took longer than') as string },
      { url: '~/assets/good.js', mapped: true, problem: '' },
    ]);
  });

  test('what takes more memory than the thread has ends the thread alone', async () => {
    await using scarce = await openUploads({ heapMb: 6 });
    const bundle = makeBundle();
    const answer = await scarce.upload(bundle);
    expect(answer).toMatchObject({ state: 'error', detail: expect.stringMatching(/[Uu]pload again/) as string });
    expect(scarce.indexer.stats().restarts).toBeGreaterThan(0);
  });
});
