/** Several nodes on Health: what each does, who is gone, and which stores they do not reach. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { goWithin, openConsole } from './console-page.ts';
import { lookAt, screenshots } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/** What was on the screen when a test failed. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}nodes-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

const minuteMs = 60_000;

test('what any node receives shows by itself on a page that is open', async () => {
  await goWithin(page, `${server.url}/issues`);
  await page.getByRole('heading', { name: 'Issues', level: 1 }).waitFor();
  const event = { exception: { values: [{ type: 'NodeError', value: 'over the nodes' }] } };
  const body = errorEnvelope(newEventId(), event);
  expect((await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body })).status).toBe(200);
  await page.getByText('over the nodes').first().waitFor();
});

/** As nodes of other machines write them; the first is silent, the second sees one store slow and one not at all. */
async function addNodes(): Promise<void> {
  const now = Date.now();
  const node = { version: '0.2.0', started_at: now - 90 * minuteMs };
  const stores = (blobs: string, events: string) => [
    { store: 'log', state: 'reachable', since: now - 90 * minuteMs },
    { store: 'state', state: 'reachable', since: now - 90 * minuteMs },
    { store: 'events', state: events, since: now - 2 * minuteMs },
    { store: 'blobs', state: blobs, since: now - 4 * minuteMs },
  ];
  const report = (blobs: string, events: string): string =>
    JSON.stringify({ stores: stores(blobs, events), lagMs: null, waitingFor: '' });
  await using state = await server.state();
  await state.db
    .insertInto('node')
    .values([
      {
        ...node,
        id: 'silent',
        roles: 'process',
        address: '10.0.0.21:7420',
        seen_at: now - 5 * minuteMs,
        report: report('reachable', 'reachable'),
      },
      {
        ...node,
        id: 'cut-off',
        roles: 'api,jobs',
        address: 'culprit-api-6d5f9c7b84-x2x7k.culprit.svc.cluster.local:7420',
        seen_at: now,
        report: report('down', 'slow'),
      },
    ])
    .execute();
}

test('nodes that are gone, and stores that they do not reach', async () => {
  await addNodes();
  await goWithin(page, `${server.url}/health`);
  const service = page.getByRole('region', { name: 'Service' });
  await service.getByText('Culprit needs attention.').waitFor();
  await service.getByText(/The blob store has been unreachable since \d/).waitFor();
  await service.getByText(/The events store has been slow since \d/).waitFor();
  const nodes = page.getByRole('table', { name: 'Nodes' });
  const silent = nodes.getByRole('row', { name: '10.0.0.21:7420' });
  await silent.getByText('Gone').waitFor();
  const cutOff = nodes.getByRole('row', { name: 'culprit-api-' });
  await cutOff.getByText('Blob store went down 4').waitFor();
  await cutOff.getByText('Events store became slow 2').waitFor();
  expect(await cutOff.innerText()).toContain('API, Jobs');
  await lookAt(page, 'health-nodes', { whole: true });
});
