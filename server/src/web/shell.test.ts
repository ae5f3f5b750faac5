import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createShell, encodingOf, fillShell } from './shell.ts';

const facts = { dsn: 'http://a@localhost/1', release: 'culprit@1', environment: 'production' };
let dir: string;
let file: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'culprit-shell-'));
  file = join(dir, 'index.html');
});
afterEach(() => rm(dir, { recursive: true }));

test('what is empty is filled in, escaped; the rest stays', () => {
  const html = '<script src="/guard.js" data-dsn="" data-release="" data-x=""></script><p>data-dsn=""</p>';
  expect(fillShell(html, { ...facts, dsn: '"><script>$&' })).toBe(
    '<script src="/guard.js" data-dsn="&quot;&gt;&lt;script&gt;$&amp;" data-release="culprit@1" data-x=""></script>' +
      '<p>data-dsn=""</p>',
  );
  expect(fillShell(html, { ...facts, dsn: '' })).toContain('data-dsn=""');
});

test('it is made once, and again when the file or the facts change', async () => {
  await writeFile(file, '<p data-dsn="">');
  const shell = createShell(file);
  const first = await shell(facts, '/');
  expect(String(first.bytes.identity)).toBe('<p data-dsn="http://a@localhost/1">');
  expect([String(brotliDecompressSync(first.bytes.br)), String(gunzipSync(first.bytes.gzip))]).toEqual(
    Array.from({ length: 2 }, () => String(first.bytes.identity)),
  );
  expect(await shell({ ...facts }, '/issues')).toBe(first);
  expect(String((await shell({ ...facts, dsn: 'x' }, '/')).bytes.identity)).toBe('<p data-dsn="x">');
  await writeFile(file, '<b data-dsn="">');
  await utimes(file, 1, 1);
  expect(String((await shell(facts, '/')).bytes.identity)).toBe('<b data-dsn="http://a@localhost/1">');
});

test('what a page is made of is named after the entry, of that page alone', async () => {
  await writeFile(file, '<script type="module" src="/a.js"></script></body>');
  await writeFile(
    join(dir, 'first-pages.json'),
    JSON.stringify({ '/': '<now>', '/issues': '<list>', '/issues/*': '<one>', '/releases/compare': '<two>' }),
  );
  const shell = createShell(file);
  const named = async (path: string): Promise<string | undefined> =>
    /<\/script>(.*)<\/body>/.exec(String((await shell(facts, path)).bytes.identity))?.[1];
  expect(await Promise.all(['/', '/issues', '/issues/', '/issues/WEB-1', '/releases/compare'].map(named))).toEqual([
    '<now>',
    '<list>',
    '<list>',
    '<one>',
    '<two>',
  ]);
  expect(await Promise.all(['/issues/WEB-1/more', '/releases', '/health', '/*'].map(named))).toEqual(['', '', '', '']);
  expect(await shell(facts, '/issues/WEB-2')).toBe(await shell(facts, '/issues/WEB-1'));
});

test('what stands in the page is told by its hash, what is linked is not', async () => {
  await writeFile(file, '<script>run()</script><script src="/a.js"></script><style>b{}</style><script>\n</script>');
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  expect((await createShell(file)(facts, '/')).inline).toEqual({
    script: [hash('run()'), hash('\n')],
    style: [hash('b{}')],
  });
});

test('a file that is gone is a console that is not built; another trouble is one', async () => {
  await expect(createShell(file)(facts, '/')).rejects.toMatchObject({ code: 'CONSOLE_NOT_BUILT' });
  await mkdir(file);
  await expect(createShell(file)(facts, '/')).rejects.toMatchObject({ code: 'EISDIR' });
});

test.each([
  [undefined, 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br;q=0.0', 'identity'],
  ['brotli', 'identity'],
])('%s takes %s', (header, encoding) => {
  expect(encodingOf(header)).toBe(encoding);
});
