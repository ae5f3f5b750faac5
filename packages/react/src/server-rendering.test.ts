import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AppReady, LoadFailure, LoadFailureBoundary, reloadOnceForStaleChunk, RouteBoundary } from './index.ts';

test('the screen renders on a server, without host name and without a style attribute', () => {
  const html = renderToString(createElement(LoadFailure, { digest: '7', eventId: '0'.repeat(32) }));
  expect(html).toContain('a server-side exception has occurred (see the server logs for more information).');
  expect(html).toContain('Digest: 7');
  expect(html).not.toContain('style');
});

test('with the host name where it is given, everything escaped', () => {
  const html = renderToString(createElement(LoadFailure, { host: '<b>"shop"' }));
  expect(html).toContain('while loading &lt;b&gt;&quot;shop&quot; (see the browser console');
});

test('boundaries let their children through', () => {
  const inner = createElement(RouteBoundary, undefined, 'Shop', createElement(AppReady));
  expect(renderToString(createElement(LoadFailureBoundary, undefined, inner))).toBe('Shop');
});

test('there is no page to load again', () => {
  expect(reloadOnceForStaleChunk(Object.assign(new Error('x'), { name: 'ChunkLoadError' }))).toBe(false);
});
