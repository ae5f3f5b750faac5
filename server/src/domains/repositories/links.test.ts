import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commitLink, type LinkContext, linkOf, mapFrame } from './links.ts';
import { matchFile, plainPath } from './paths.ts';
import { suggest } from './suggest.ts';
import type { CodeMapping, Repository } from './types.ts';

const shop: Repository = {
  id: 1,
  name: 'acme/shop',
  provider: 'github',
  url: 'https://github.com/acme/shop',
  linkTemplate: '',
  defaultBranch: 'main',
  isConfigured: true,
  createdAt: 0,
};
const mapping = (overrides: Partial<CodeMapping> = {}): CodeMapping => ({
  id: 1,
  projectId: 1,
  repository: shop,
  stackRoot: '../../',
  sourceRoot: 'web/',
  branch: '',
  ...overrides,
});
const context = (repository: Partial<Repository> = {}, commits: [number, string][] = []): LinkContext => ({
  mappings: [mapping({ repository: { ...shop, ...repository } })],
  commits: new Map(commits),
});
const frame = { filename: '../../src/cart/App.tsx', lineNo: 12 };

test.each([
  [context({}, [[1, 'b3347249']]), 'https://github.com/acme/shop/blob/b3347249/web/src/cart/App.tsx#L12'],
  [context(), 'https://github.com/acme/shop/blob/main/web/src/cart/App.tsx#L12'],
  [context({ defaultBranch: '' }), 'https://github.com/acme/shop/blob/HEAD/web/src/cart/App.tsx#L12'],
  [
    context({ provider: 'gitlab', url: 'https://git.example.com/a/b' }),
    'https://git.example.com/a/b/-/blob/main/web/src/cart/App.tsx#L12',
  ],
  [
    context({ provider: 'bitbucket', url: 'https://bitbucket.org/a/b' }),
    'https://bitbucket.org/a/b/src/main/web/src/cart/App.tsx#lines-12',
  ],
  [
    context({ provider: 'other', linkTemplate: 'https://code.example.com/?f={path}&l={line}&c={commit}' }),
    'https://code.example.com/?f=web/src/cart/App.tsx&l=12&c=main',
  ],
  [context({ provider: 'other' }), undefined],
  [context({ url: '' }), undefined],
])('a link to the line %#', (links, expected) => {
  expect(linkOf(frame, links)).toBe(expected);
});

test('the longest stack root wins, and its branch', () => {
  const links: LinkContext = {
    mappings: [mapping({ stackRoot: '../../src/', sourceRoot: 'lib/', branch: 'next' }), mapping()],
    commits: new Map(),
  };
  expect(linkOf(frame, links)).toBe('https://github.com/acme/shop/blob/next/lib/cart/App.tsx#L12');
});

test('paths are encoded, and none leads out of the repository', () => {
  const whole: LinkContext = { mappings: [mapping({ stackRoot: '', sourceRoot: '' })], commits: new Map() };
  expect(linkOf({ filename: 'app/[id]/a b#c.tsx', lineNo: null }, whole)).toBe(
    'https://github.com/acme/shop/blob/main/app/%5Bid%5D/a%20b',
  );
  expect(linkOf({ filename: 'a"><script>.ts' }, whole)).toBe(
    'https://github.com/acme/shop/blob/main/a%22%3E%3Cscript%3E.ts',
  );
  expect(linkOf({ filename: '../../../../etc/passwd', lineNo: 1 }, context())).toBeUndefined();
  expect(linkOf({ filename: '../../node_modules/react/index.js', lineNo: 1 }, context())).toBeUndefined();
  for (const filename of ['node:internal/process', '<anonymous>', '', 'http://', '..'])
    expect(linkOf({ filename, lineNo: 1 }, whole), filename).toBeUndefined();
  expect(linkOf({ filename: '\ud800/a.ts' }, whole)).toContain('%EF%BF%BD/a.ts');
});

test('no path takes a link anywhere but into the repository', () => {
  const whole: LinkContext = { mappings: [mapping({ stackRoot: '', sourceRoot: '' })], commits: new Map() };
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (filename) => {
      const link = linkOf({ filename, lineNo: 1 }, whole);
      if (link === undefined) return;
      expect(new URL(link).href.startsWith('https://github.com/acme/shop/blob/main/')).toBe(true);
    }),
  );
});

test('pages of commits', () => {
  expect(commitLink(shop, 'b33')).toBe('https://github.com/acme/shop/commit/b33');
  expect(commitLink({ provider: 'gitlab', url: 'https://g.example/a' }, 'b33')).toBe(
    'https://g.example/a/-/commit/b33',
  );
  expect(commitLink({ provider: 'bitbucket', url: 'https://b.example/a' }, 'b/3')).toBe(
    'https://b.example/a/commits/b%2F3',
  );
  expect(commitLink({ provider: 'other', url: '' }, 'b33')).toBeUndefined();
});

const suggested = (frame: object, ...paths: string[]) => {
  const [one] = suggest([frame], files(...paths), [shop]);
  return one && [one.stackRoot, one.sourceRoot, mapFrame(frame, [mapping(one)])?.path];
};

test('a mapping is suggested for frames of each language, and leads to the file', () => {
  const cart = { filename: 'Cart.java', module: 'com.example.shop.Cart$Row' };
  const java = 'server/src/main/java/com/example/shop/Cart.java';
  expect(suggested(cart, java, 'other/com/example/Cart.java')).toEqual(['', 'server/src/main/java/', java]);
  expect(
    linkOf({ ...cart, lineNo: 7 }, { mappings: [mapping({ stackRoot: '', sourceRoot: 'src/' })], commits: new Map() }),
  ).toBe('https://github.com/acme/shop/blob/main/src/com/example/shop/Cart.java#L7');
  const go = { filename: 'example.com/shop/internal/cart/cart.go', module: 'example.com/shop/internal/cart' };
  expect(suggested(go, 'internal/cart/cart.go')).toEqual(['example.com/shop/', '', 'internal/cart/cart.go']);
  const container = { filename: 'cart.go', absPath: '/app/internal/cart/cart.go' };
  expect(suggested(container, 'internal/cart/cart.go')).toEqual(['/app/', '', 'internal/cart/cart.go']);
  const python = { filename: 'shop/cart.py', absPath: '/app/shop/cart.py', module: 'shop.cart' };
  expect(suggested(python, 'backend/shop/cart.py')).toEqual(['', 'backend/', 'backend/shop/cart.py']);
  const rust = { filename: 'main.rs', absPath: '/home/ci/shop/src/main.rs' };
  expect(suggested(rust, 'src/main.rs', 'README.md')).toEqual(['/home/ci/shop/', '', 'src/main.rs']);
  const php = { filename: '/var/www/html/src/Cart/Till.php' };
  expect(suggested(php, 'src/Cart/Till.php')).toEqual(['/var/www/html/', '', 'src/Cart/Till.php']);
  const ruby = { filename: 'app/models/cart.rb', absPath: '/srv/shop/app/models/cart.rb' };
  expect(suggested(ruby, 'app/models/cart.rb')).toEqual(['', '', 'app/models/cart.rb']);
  const net = { filename: 'Cart.cs', absPath: '/src/Shop.Web/Models/Cart.cs', module: 'Shop.Web.Models.Cart' };
  expect(suggested(net, 'dotnet/Shop.Web/Models/Cart.cs')).toEqual([
    '/src/',
    'dotnet/',
    'dotnet/Shop.Web/Models/Cart.cs',
  ]);
});

test.each([
  '/usr/lib/python3/dist-packages/flask/app.py',
  '/go/pkg/mod/github.com/x/y/z.go',
  '/build/.cargo/registry/src/index/x-1.0/src/lib.rs',
  '/rustc/abc/library/core/src/panicking.rs',
])('%s is in no repository', (filename) => {
  const whole: LinkContext = { mappings: [mapping({ stackRoot: '/', sourceRoot: '' })], commits: new Map() };
  expect(linkOf({ filename, lineNo: 1 }, whole)).toBeUndefined();
});

test.each([
  ['../../src/App.tsx', 'src/App.tsx'],
  ['webpack-internal:///(rsc)/./app/(shop)/page.tsx', 'app/(shop)/page.tsx'],
  ['webpack://_N_E/./app/page.tsx?1a2b', 'app/page.tsx'],
  ['http://127.0.0.1:8080/assets/x.js?y#z', 'assets/x.js'],
  ['app:///src/a.ts', 'src/a.ts'],
  ['file:///home/ci/app/src/a.ts', 'home/ci/app/src/a.ts'],
  ['C:\\app\\src\\a.ts', 'app/src/a.ts'],
  ['/srv/app/a.ts', 'srv/app/a.ts'],
  ['node:internal/process', ''],
  ['<anonymous>', ''],
])('%s is %j', (path, plain) => {
  expect(plainPath(path)).toBe(plain);
});

const files = (...paths: string[]) => paths.map((path) => ({ path, repositoryId: 1 }));

test('the file that a path means', () => {
  const match = (path: string, ...paths: string[]) => matchFile(path, files(...paths));
  expect(match('../../src/App.tsx', 'web/src/App.tsx', 'src/main.tsx')).toMatchObject({
    file: { path: 'web/src/App.tsx' },
    how: 'suffix',
  });
  // Two that are as like: no answer is better than a wrong one.
  expect(match('src/index.ts', 'a/src/index.ts', 'b/src/index.ts')).toBeUndefined();
  expect(match('a/src/index.ts', 'a/src/index.ts', 'b/src/index.ts')?.file.path).toBe('a/src/index.ts');
  expect(match('App.tsx', 'web/App.tsx')).toMatchObject({ how: 'name' });
  expect(match('App.tsx', 'web/App.tsx', 'mobile/App.tsx')).toBeUndefined();
  expect(match('src/index.ts', 'packages/x/index.ts')).toBeUndefined();
  expect(match('<anonymous>', 'a.ts')).toBeUndefined();
});

test('code mappings that fit', () => {
  const frames = ['../../src/App.tsx', '../../src/cart.ts', 'app:///lib/x/a.ts', 'node:fs', 'unknown/thing.ts'].map(
    (filename) => ({ filename }),
  );
  const known = files('web/src/App.tsx', 'web/src/cart.ts', 'server/lib/x/a.ts').map((file) => ({
    ...file,
    repositoryId: 2,
  }));
  const origin: Repository = { ...shop, id: 2, name: 'origin', url: '', isConfigured: false };
  expect(suggest(frames, known, [shop, origin])).toEqual([
    {
      repository: shop,
      stackRoot: '../../',
      sourceRoot: 'web/',
      frame: '../../src/App.tsx',
      file: 'web/src/App.tsx',
      frames: 2,
    },
    expect.objectContaining({ stackRoot: 'app:///', sourceRoot: 'server/', frames: 1 }),
  ]);
  for (const { stackRoot, sourceRoot, frame: filename, file } of suggest(frames, known, [shop, origin]))
    expect(mapFrame({ filename }, [mapping({ stackRoot, sourceRoot })])?.path).toBe(file);
});
