import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { CauseCard } from './CauseCard.tsx';
import { FoundEvents, FoundTraces } from './FoundEvents.tsx';
import type { Cause, FoundEvent, FoundTrace, Watch } from './queries.ts';
import { WatchRow } from './Watches.tsx';

const hostile = '<script>‮alert‬</script>'.repeat(80);
const least: FoundEvent = {
  id: '82628ef2b8ad4ad1a7288ca369b080ce',
  title: 'TypeError: no price',
  side: 'server',
  url: null,
  transaction: null,
  release: null,
  issueId: null,
  digest: null,
  traceId: null,
  spanId: null,
  environment: null,
  host: null,
  dateCreated: '2026-11-20T10:00:00Z',
  project: { id: '1', slug: 'web', name: 'Web', platform: 'node' },
};
const most: FoundEvent = {
  ...least,
  id: 'f'.repeat(32),
  title: hostile,
  side: 'browser',
  url: `https://shop.example.com/product/7?q=${'x'.repeat(2000)}`,
  release: `shop@${'4f2c'.repeat(10)}`,
  issueId: '7',
};
const trace: FoundTrace = {
  id: 'a'.repeat(32),
  serverEvents: 1,
  browserEvents: 2,
  lastSeen: '2026-11-20T10:00:00Z',
};
const watch: Watch = {
  id: '1',
  digest: '1930860604',
  host: null,
  project: null,
  status: 'waiting',
  seen: false,
  found: null,
  dateCreated: '2026-11-20T10:00:00Z',
  dateExpires: '2026-12-20T10:00:00Z',
};
const found: Watch = {
  ...watch,
  id: '2',
  digest: '42',
  host: `${'shop.'.repeat(60)}example.com`,
  status: 'found',
  found: {
    permalink: '',
    issueId: '7',
    shortId: 'WEB-7',
    eventId: 'e'.repeat(32),
    title: hostile,
    dateFound: '2026-11-21T10:00:00Z',
  },
};

test('an event leads to its issue, or to what finds it', async () => {
  const screen = await renderInApp(<FoundEvents label="Events" events={[least, most]} />);
  const links = screen.getByRole('list', { name: 'Events' }).getByRole('link');
  await expect.element(links.first()).toHaveAttribute('href', `/find?q=${least.id}`);
  await expect.element(links.last()).toHaveAttribute('href', `/issues/7?event=${most.id}`);
  await expect.element(screen.getByRole('listitem').first()).toHaveTextContent(/^TypeError: no priceServer\d/);
  expect(await violations()).toEqual([]);
});

const cause: Cause = {
  issue: {
    id: '7',
    shortId: 'WEB-7',
    title: hostile,
    culprit: '',
    permalink: '',
    level: 'error',
    status: 'unresolved',
    firstSeen: '2026-11-20T10:00:00Z',
    lastSeen: '2026-11-20T10:00:00Z',
    firstRelease: null,
    lastRelease: null,
    project: { id: '1', slug: 'web', name: 'Web', platform: 'node' },
  },
  event: most,
  permalink: '',
  events: 1,
  estimated: null,
  exception: null,
  frame: null,
  releases: [],
  visits: { count: 1, unit: 'traces' },
  firstSeen: '2026-11-20T10:00:00Z',
  lastSeen: '2026-11-20T10:00:00Z',
  differs: false,
  trace: null,
};

test('a cause leads to its issue, filtered by what was searched', async () => {
  const screen = await renderInApp(
    <ol>
      <CauseCard
        cause={{ ...cause, exception: { type: 'TypeError', value: 'no price' }, releases: ['1.0', '0.9'] }}
        matchedBy="digest"
        value="42"
        scope={{}}
      />
    </ol>,
  );
  const item = screen.getByRole('listitem');
  await expect.element(item).toHaveTextContent('1 visit since');
  await expect.element(item).toHaveTextContent('in 1.0 and 1 more');
  await expect
    .element(screen.getByRole('link', { name: 'TypeError no price' }))
    .toHaveAttribute('href', `/issues/WEB-7?event=${most.id}&q=digest%3A42`);
});

test('a watch tells what it waits for, and ends', async () => {
  const onUnwatch = vi.fn();
  const screen = await renderInApp(
    <ul>
      <WatchRow watch={watch} onUnwatch={onUnwatch} />
    </ul>,
  );
  await expect.element(screen.getByRole('listitem')).toHaveTextContent(/watching since .*, expires /);
  await screen.getByRole('button', { name: 'Stop watching 1930860604' }).click();
  expect(onUnwatch).toHaveBeenCalledOnce();
});

test.each([1000, 390])('long texts stay within rows, %i px wide', async (width) => {
  await page.viewport(width, 900);
  const screen = await renderInApp(
    <>
      <FoundEvents label="Events" events={[least, most]} />
      <FoundTraces traces={[trace]} />
      <ol>
        <CauseCard cause={cause} matchedBy="digest" value="42" scope={{}} />
      </ol>
      <ul>
        <WatchRow watch={found} onUnwatch={() => undefined} />
      </ul>
    </>,
  );
  await expect.element(screen.getByText('1 server, 2 browser')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  expect(await violations()).toEqual([]);
});
