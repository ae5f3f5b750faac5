import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { firstPages, linksOfPages } from './first-pages.ts';

const routesDir = fileURLToPath(new URL('../console/src/app/routes/', import.meta.url));

/** Paths of the console's routes, a part with a name as `*`; undefined where a route leads elsewhere. */
const pageOf = new Map(
  readdirSync(routesDir)
    .flatMap((file) =>
      readFileSync(routesDir + file, 'utf8')
        .split('createRoute({')
        .slice(1),
    )
    .flatMap((route): [string, string | undefined][] => {
      const path = /^\s*path: '([^']+)'/m.exec(route)?.[1];
      return path
        ? [
            [
              path.replaceAll(/\$\w+/g, '*'),
              /component: page\(\(\) => import\('\.\.\/\.\.\/pages\/([^']+)'/.exec(route)?.[1],
            ],
          ]
        : [];
    }),
);

test('each is a page of the console, and the one that its path leads to', () => {
  // A digest leads to what is found.
  const { '/d/*': digest, ...others } = firstPages;
  expect(digest).toBe(firstPages['/find']);
  expect(pageOf.has('/d/*')).toBe(true);
  expect(Object.fromEntries(Object.keys(others).map((path) => [path, pageOf.get(path)]))).toEqual(others);
});

test('what the entry brings is not named again; a page that is not built is told of', () => {
  const pages = Object.fromEntries(
    Object.values(firstPages).map((page) => [`src/pages/${page}`, { file: `assets/${page}.js`, imports: ['base'] }]),
  );
  const manifest = {
    'src/app/main.tsx': { file: 'assets/index.js', isEntry: true, imports: ['base'] },
    base: { file: 'assets/base.js' },
    shared: { file: 'assets/shared.js', css: ['assets/shared.css'] },
    ...pages,
    'src/pages/issue/IssuePage.tsx': {
      file: 'assets/issue.js',
      imports: ['base', 'shared'],
      css: ['assets/issue.css', 'assets/shared.css'],
    },
  };
  expect(linksOfPages(manifest)['/issues/*']).toBe(
    '<link rel="stylesheet" crossorigin href="/assets/issue.css">' +
      '<link rel="stylesheet" crossorigin href="/assets/shared.css">' +
      '<link rel="modulepreload" crossorigin fetchpriority="low" href="/assets/issue.js">' +
      '<link rel="modulepreload" crossorigin fetchpriority="low" href="/assets/shared.js">',
  );
  expect(() => linksOfPages({ base: { file: 'assets/base.js' } })).toThrow('has no chunk of src/pages/now/NowPage.tsx');
});
