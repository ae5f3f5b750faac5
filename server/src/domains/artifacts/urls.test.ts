import { expect, test } from 'vitest';
import { bundleUrlsOf, resolveUrl } from './urls.ts';

test.each([
  ['http://127.0.0.1:8080/assets/index.js', ['http://127.0.0.1:8080/assets/index.js', '~/assets/index.js']],
  ['https://host/assets/x.js?v=1#top', ['https://host/assets/x.js', '~/assets/x.js']],
  ['app:///x.js', ['app:///x.js', '~/x.js']],
  ['app:///_next/server/app/page.js', ['app:///_next/server/app/page.js', '~/_next/server/app/page.js']],
  ['/srv/app/dist/x.js', ['/srv/app/dist/x.js', '~/srv/app/dist/x.js']],
  ['file:///srv/x.js', ['file:///srv/x.js', '~/srv/x.js']],
  ['C:\\app\\x.js', ['C:/app/x.js', '~/app/x.js']],
  [
    'https://h/app/%5Bslug%5D/p.js',
    ['https://h/app/%5Bslug%5D/p.js', '~/app/%5Bslug%5D/p.js', 'https://h/app/[slug]/p.js', '~/app/[slug]/p.js'],
  ],
  ['https://h/%', ['https://h/%', '~/%']],
  ['x.js', ['x.js']],
  ['', []],
  ['https://host', ['https://host']],
  ['https://host/', ['https://host/']],
  [`https://host/${'x'.repeat(3000)}`, []],
])('%s is looked for as %j', (url, expected) => {
  expect(bundleUrlsOf(url)).toEqual(expected);
});

test.each([
  ['x.js.map', '~/assets/x.js', '~/assets/x.js.map'],
  ['../maps/x.js.map', '~/assets/x.js', '~/maps/x.js.map'],
  ['../../../../x.map', '~/assets/x.js', '~/x.map'],
  ['/x.map', '~/assets/x.js', '~/x.map'],
  ['x.js.map?v=1', '~/assets/x.js', '~/assets/x.js.map?v=1'],
  ['~/y.map', '~/assets/x.js', '~/y.map'],
  ['x.js.map', 'https://cdn.example/a/x.js', 'https://cdn.example/a/x.js.map'],
  ['x.js.map', 'app:///a/x.js', 'app:///a/x.js.map'],
  ['https://maps.example/x.map', '~/a/x.js', 'https://maps.example/x.map'],
  ['[id].js.map', '~/a/[id].js', '~/a/[id].js.map'],
  ['x.js.map', 'a/x.js', 'a/x.js.map'],
])('%s in %s means %s', (reference, base, expected) => {
  expect(resolveUrl(reference, base)).toBe(expected);
});

test('what is no address resolves to nothing', () => {
  expect(resolveUrl('', '~/a.js')).toBeUndefined();
  expect(resolveUrl('//[', '~/a.js')).toBeUndefined();
  expect(resolveUrl('x'.repeat(3000), '~/a.js')).toBeUndefined();
});
