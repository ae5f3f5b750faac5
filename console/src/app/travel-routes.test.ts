/** From whatever page, with whatever filter of its own: the next page has what was chosen, and nothing of that. */
import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { expect, test, vi } from 'vitest';
import { createConsoleRouter } from './router.tsx';

// What needs a document.
vi.mock('./report.ts', () => ({}));

type Build = (wanted: object) => { readonly href: string };

const params = { issue: 'WEB-1', version: 'web@1', trace: 'a1', rule: '1', slug: 'web', digest: '1' };
const names = ['project', 'environment', 'range', 'start', 'end'] as const;
const own = {
  project: 'other',
  environment: 'staging',
  start: '2026-11-20T00:00:00.000Z',
  end: '2026-11-21T00:00:00.000Z',
};

const router = createConsoleRouter(new QueryClient());
const paths = Object.values(router.routesById)
  .filter((route) => route.id.startsWith('/shell/') && route.id !== '/shell/')
  .map((route) => route.fullPath);

function at(href: string): void {
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [href] }) });
  router.latestLocation = router.parseLocation(router.history.location);
}

const hrefOf = (to: string, search: object): string =>
  (router.buildLocation as Build)({ to, params, search, _includeValidateSearch: true }).href;

const filterOf = (href: string): Record<string, string> => {
  const search = new URL(href, 'http://console').searchParams;
  return Object.fromEntries(names.flatMap((name) => (search.has(name) ? [[name, search.get(name) ?? '']] : [])));
};

test.each([{}, { project: 'web', environment: 'production', range: '7d' }])('chosen: %j', (filter) => {
  expect(paths.length).toBeGreaterThan(25);
  for (const path of paths) {
    at(`/issues?${new URLSearchParams(filter as Record<string, string>)}`);
    // The link that leads there knows better; then the page changes something of itself.
    const there = hrefOf(path, { ...own, transaction: 'GET /', page: '/', of: 'other', q: '1' });
    expect.soft(filterOf(there), there).toEqual(own);
    at(there);
    const changed = hrefOf('.', (before: object) => ({ ...before, q: 'x' }));
    expect.soft(filterOf(changed), changed).toEqual(own);
    at(changed);
    for (const next of ['/', '/issues', '/releases', '/traces', '/explore', '/alerts'])
      expect.soft(filterOf(hrefOf(next, {})), `${changed} → ${next}`).toEqual(filter);
  }
});

test('a transaction, a query, a page of web vitals: their project is in a name of its own', () => {
  at('/performance?range=7d');
  for (const [to, search] of [
    ['/performance/transaction', { of: 'shop', transaction: 'GET /' }],
    ['/performance/queries', { of: 'shop', query: '0123456789abcdef' }],
    ['/performance/vitals', { of: 'shop', page: '/' }],
  ] as const) {
    const there = hrefOf(to, search);
    expect(filterOf(there)).toEqual({ range: '7d' });
    at(there);
    expect(filterOf(hrefOf('/releases', {}))).toEqual({ range: '7d' });
  }
});
