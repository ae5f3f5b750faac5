/** What index.html asks while the scripts are on their way is what the page asks: to the letter, or it is asked twice. */
import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import html from '../../index.html?raw';
import { takeAsked } from '../api/asked.ts';
import { bootQuery } from '../features/session/boot.ts';
import { createConsoleRouter } from './router.tsx';

// What needs a document.
vi.mock('./report.ts', () => ({}));

const script = /<script>(.*?)<\/script>/s.exec(html)?.[1] ?? '';

/** Addresses that the page's own script asks for; undefined `last` is a first visit. */
const askedAhead = (href: string, last?: string): string[] => started(href, last).addresses;

/** What is asked, and the address and the organisation that the page starts with. */
function started(href: string, last?: string): { addresses: string[]; href: string; last: string | undefined } {
  const { pathname, search, hash } = new URL(href, 'http://culprit.test');
  const addresses: string[] = [];
  const stored: Record<string, string | undefined> = { 'culprit:organization': last };
  const run = new Function('window', 'document', 'localStorage', 'location', 'history', 'fetch', script);
  const refuse = (address: string) => {
    addresses.push(address);
    return Promise.reject(new Error('nobody is there'));
  };
  const storage = {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => void (stored[key] = value),
  };
  let shown = href;
  const history = { replaceState: (_state: unknown, _title: string, to: string) => void (shown = to) };
  run({}, { documentElement: { dataset: {} } }, storage, { pathname, search, hash }, history, refuse);
  return { addresses, href: shown, last: stored['culprit:organization'] };
}

const fetched = vi.fn<(address: string) => Promise<Response>>();

beforeEach(() => {
  fetched.mockReset().mockImplementation(() => new Promise(() => undefined));
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => vi.unstubAllGlobals());

/** Addresses that the page asks for when it is opened. */
async function askedByPage(href: string): Promise<string[]> {
  const client = new QueryClient();
  client.setQueryData(bootQuery.queryKey, {
    self: { version: '0', serverVersion: '1', user: { id: '1', email: 'a@example.com', name: 'A' }, auth: null },
    setUpNeeded: false,
    organizations: [{ id: '1', slug: 'acme', name: 'Acme' }],
    closedOrganizations: [],
    projects: [],
  } as never);
  const router = createConsoleRouter(client);
  // Of the page only what it asks for.
  for (const route of Object.values(router.routesById)) route.options.component = undefined;
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [href] }) });
  await router.load();
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve, 20));
  return fetched.mock.calls.map(([address]) => address);
}

const event = 'a'.repeat(32);
const trace = 'b'.repeat(32);

test.each<[href: string, page?: string]>([
  ['/'],
  ['/issues'],
  ['/issues/WEB-1'],
  [`/issues/WEB-1?event=${event}`],
  ['/releases'],
  [`/traces/${trace}`],
  [`/traces/${trace}?span=1234567890abcdef&at=1795629518`],
  // Where a digest leads.
  ['/d/1930860604', '/find?q=1930860604'],
])('%s', async (href, page = href) => {
  const [boot, ...first] = askedAhead(href, 'acme');
  expect(boot).toBe('/api/0/boot/?org=acme');
  expect(first.length).toBeGreaterThan(0);
  const asked = await askedByPage(page);
  expect(first.filter((address) => !asked.includes(address))).toEqual([]);
});

test('what chooses more is left to the page, and a first visit knows no organisation', () => {
  for (const href of [
    '/issues?q=price',
    '/issues/WEB-1?q=level%3Aerror',
    `/issues/WEB-1?event=${event}&q=x`,
    '/releases?status=archived',
    '/releases/web@1',
    '/?project=web',
    '/health',
    '/issues/WEB-1/more',
  ])
    expect(askedAhead(href, 'acme'), href).toEqual(['/api/0/boot/?org=acme']);
  expect(askedAhead('/issues')).toEqual(['/api/0/boot/']);
  for (const href of ['/sign-in', '/setup', '/invite/x', '/shared/x']) expect(askedAhead(href, 'acme')).toEqual([]);
});

test.each([
  ['/issues/WEB-1?org=other', '/issues/WEB-1'],
  ['/issues?q=a%20b&org=other', '/issues?q=a%20b'],
  ['/issues?org=other&q=a%20b#list', '/issues?q=a%20b#list'],
  ['/sign-in?org=other', '/sign-in'],
])('a link names its organisation: %s', (href, shown) => {
  const start = started(href, 'acme');
  expect(start).toMatchObject({ href: shown, last: 'other' });
  expect(start.addresses).toEqual(askedAhead(shown, 'other'));
});

test.each(['/issues?org=', '/issues?org=%3Cscript%3E', '/issues?q=org%3Dother', '/issues?xorg=other'])(
  'and nothing else does: %s',
  (href) => expect(started(href, 'acme')).toMatchObject({ href, last: 'acme' }),
);

test('the script leaves nothing on the window, whose event is not its own', () => {
  expect(script.replaceAll(/^\s*\/\/.*$/gm, '').trim()).toMatch(/^\(function \(\) \{.*\}\)\(\);$/s);
});

test('an answer is taken once, by who reads', () => {
  const answer = Promise.resolve(new Response('{}'));
  vi.stubGlobal('culpritAsked', { '/a': answer });
  expect(takeAsked({ method: 'POST' }, '/a')).toBeUndefined();
  expect(takeAsked({ method: 'GET' }, '/b')).toBeUndefined();
  expect(takeAsked({ method: 'GET' }, '/a')).toBe(answer);
  expect(takeAsked({ method: 'GET' }, '/a')).toBeUndefined();
});
