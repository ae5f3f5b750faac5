import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Channel, Delivery } from '../../features/channels/queries.ts';
import { renderSignedIn } from '../../features/session/testing/render-signed-in.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { ChannelRow } from './ChannelRow.tsx';
import { DeliveryRow } from './DeliveryLog.tsx';

const least: Channel = {
  id: '1',
  type: 'webhook',
  name: 'Deploy bot',
  enabled: true,
  config: { url: 'https://example.com/hook' },
  quietHours: null,
  health: 'unused',
  problem: '',
  failingSince: null,
  lastSent: null,
  unsubscribed: [],
  dateCreated: '2026-11-20T10:00:00Z',
};
const everything: Channel = {
  ...least,
  type: 'email',
  config: { to: ['ada@example.com', 'ops@example.com'] },
  health: 'failing',
  problem: 'the receiver responded with 410',
  failingSince: '2026-11-20T10:00:00Z',
  lastSent: '2026-11-20T10:00:00Z',
  quietHours: { timeZone: 'UTC', from: '22:00', until: '07:00', days: [0], criticalPasses: true },
  unsubscribed: [{ address: 'ada@example.com', at: '2026-11-20T10:00:00Z' }],
};
const long = `<b>${'x'.repeat(400)}</b>`;

const show = (channel: Channel, mayManage = true) =>
  renderSignedIn(
    <DataList label="Channels">
      <ChannelRow
        channel={channel}
        isShown={false}
        mayManage={mayManage}
        onEdit={vi.fn()}
        onDelete={vi.fn()}
        onLog={vi.fn()}
      />
    </DataList>,
  );

test('a channel that never sent anything says what it is', async () => {
  const screen = await show(least);
  for (const text of ['Deploy bot', 'Webhook', 'https://example.com/hook'])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
  for (const name of ['Log of Deploy bot', 'Test Deploy bot', 'Edit Deploy bot', 'Delete Deploy bot'])
    await expect.element(screen.getByRole('button', { name })).toBeVisible();
  expect(await violations()).toEqual([]);
});

test('one that fails says since when and why, and who has unsubscribed', async () => {
  const screen = await show(everything);
  for (const text of [
    'Failing',
    'Quiet 22:00–07:00',
    'the receiver responded with 410',
    'Unsubscribed: ada@example.com',
  ])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Subscribe again' })).toBeVisible();
  expect(await violations()).toEqual([]);
});

test('members read the log only', async () => {
  const screen = await show(least, false);
  await expect.element(screen.getByRole('button', { name: 'Log of Deploy bot' })).toBeVisible();
  expect(screen.getByRole('button').elements()).toHaveLength(1);
});

const delivery: Delivery = {
  id: '1',
  channel: { id: '1', name: 'Deploy bot', type: 'webhook' },
  user: null,
  email: null,
  kind: 'issue_alert',
  severity: 'critical',
  title: 'Checkout is failing',
  url: '/issues/WEB-1',
  state: 'failed',
  detail: '',
  attempts: [{ at: '2026-11-20T10:00:00Z', outcome: 'failed', status: 410, answer: 'gone', durationMs: 12 }],
  mergedInto: null,
  dateCreated: '2026-11-20T10:00:00Z',
  due: '2026-11-20T10:00:00Z',
  finished: null,
};

test('a delivery unfolds its attempts, and is sent again', async () => {
  const onResend = vi.fn();
  const screen = await renderSignedIn(
    <DataList label="Deliveries">
      <DeliveryRow delivery={delivery} mayManage busy={false} onResend={onResend} />
    </DataList>,
  );
  await screen.getByRole('button', { name: /Checkout is failing/ }).click();
  await expect.element(screen.getByText('responded with 410 in 12\u00a0ms')).toBeVisible();
  await expect.element(screen.getByText('gone')).toBeVisible();
  await screen.getByRole('button', { name: 'Send again' }).click();
  expect(onResend).toHaveBeenCalledOnce();
  expect(await violations()).toEqual([]);
});

test.each([1000, 390])('long texts stay in their rows, %i px wide', async (width) => {
  await page.viewport(width, 900);
  const screen = await renderSignedIn(
    <DataList label="All">
      <ChannelRow
        channel={{ ...everything, name: long, problem: long, config: { to: [long] } }}
        isShown
        mayManage
        onEdit={vi.fn()}
        onDelete={vi.fn()}
        onLog={vi.fn()}
      />
      <DeliveryRow
        delivery={{ ...delivery, title: long, channel: { id: '1', name: long, type: 'webhook' } }}
        mayManage
        busy={false}
        onResend={vi.fn()}
      />
    </DataList>,
  );
  await expect.element(screen.getByText('Failing', { exact: true })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
