import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AlertFiring, AlertRule } from '../../features/alerts/queries.ts';
import { renderSignedIn } from '../../features/session/testing/render-signed-in.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { FiringRow } from './History.tsx';
import { PreviewRow } from './Preview.tsx';
import { RuleRow } from './RuleRow.tsx';

const least: AlertRule = {
  id: '7',
  kind: 'issue',
  name: 'New issues',
  enabled: true,
  projectIds: [],
  environment: null,
  query: '',
  throttleMinutes: 30,
  digestMinutes: 5,
  channelIds: [],
  owner: null,
  match: 'any',
  conditions: [{ type: 'new_issue' }],
  metric: null,
  sentence: 'When an issue is new, notify no one.',
  state: 'ok',
  stateSince: null,
  value: null,
  problem: '',
  mutedUntil: null,
  mutedForMeUntil: null,
  mayChange: true,
  whoMayChange: '',
  lastFiredAt: null,
  firedLast7Days: 0,
  firedByDay: [0, 0, 0, 0, 0, 0, 0],
  dateCreated: '2026-11-20T10:00:00Z',
  dateUpdated: '2026-11-20T10:00:00Z',
  createdBy: null,
};
const ahead = new Date(Date.now() + 3_600_000).toISOString();
const everything: AlertRule = {
  ...least,
  state: 'critical',
  mutedUntil: ahead,
  mutedForMeUntil: ahead,
  lastFiredAt: '2026-11-20T10:00:00Z',
  firedLast7Days: 1204,
  firedByDay: [0, 3, 1, 0, 1000, 100, 100],
};
const endless = `<b>${'x'.repeat(300)}</b> ${'long words '.repeat(60)}`;
const hostile: AlertRule = { ...everything, name: endless, sentence: endless, problem: endless, state: 'problem' };

const firing: AlertFiring = {
  id: '1',
  ruleId: '7',
  ruleName: 'New issues',
  at: '2026-11-20T10:00:00Z',
  state: 'unheard',
  severity: 'info',
  why: 'It is new.',
  value: null,
  estimated: null,
  issue: null,
  deliveries: [],
};
const hostileFiring: AlertFiring = {
  ...firing,
  severity: 'resolved',
  why: endless,
  issue: { id: '1', shortId: `WEB-${'9'.repeat(60)}`, title: endless, level: 'error' },
};

const show = (rule: AlertRule) =>
  renderSignedIn(
    <DataList open label="Rules">
      <RuleRow rule={rule} />
    </DataList>,
  );

test('a rule leads to its page, and can be muted, turned off and deleted in its row', async () => {
  const screen = await show(least);
  await expect.element(screen.getByRole('link', { name: 'New issues' })).toHaveAttribute('href', '/alerts/7');
  for (const text of ['OK', 'Not fired in 7 days', 'Notifies no one: no channel selected'])
    await expect.element(screen.getByText(text)).toBeVisible();
  await expect.element(screen.getByRole('checkbox', { name: 'On: New issues' })).toBeChecked();
  for (const name of ['Mute New issues', 'Delete New issues'])
    await expect.element(screen.getByRole('button', { name })).toBeVisible();
  expect(await violations()).toEqual([]);
});

test('one that fires and is muted says so', async () => {
  const screen = await show(everything);
  for (const text of ['Critical', 'Fired 1,204 times in 7 days', 'Muted, unmutes', 'Muted for you, unmutes'])
    await expect.element(screen.getByText(text)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Unmute New issues' })).toBeVisible();
  expect(await violations()).toEqual([]);
});

test('one that is another person’s can only be muted', async () => {
  const screen = await show({ ...least, mayChange: false });
  await expect.element(screen.getByRole('button', { name: 'Mute New issues' })).toBeVisible();
  expect(screen.getByRole('checkbox').elements()).toEqual([]);
  expect(screen.getByRole('button', { name: 'Delete New issues' }).elements()).toEqual([]);
});

test('the value of an alert may be an estimate', async () => {
  const screen = await renderSignedIn(
    <DataList label="Alerts">
      <FiringRow firing={{ ...firing, value: 400, estimated: { low: 280, high: 520 } }} rule={least} />
    </DataList>,
  );
  await expect.element(screen.getByText('about 400 (280–520)')).toBeVisible();
});

test('an alert of the history says what became of its notification', async () => {
  const screen = await renderSignedIn(
    <DataList label="Alerts">
      <FiringRow firing={firing} rule={least} />
    </DataList>,
  );
  for (const text of ['Info', 'It is new.', 'Not sent: no channel'])
    await expect.element(screen.getByText(text)).toBeVisible();
  expect(await violations()).toEqual([]);
});

test.each([1000, 390])('long texts stay in their rows, %i px wide', async (width) => {
  await page.viewport(width, 900);
  const screen = await renderSignedIn(
    <DataList open label="Rules">
      <RuleRow rule={hostile} />
      <FiringRow firing={hostileFiring} rule={hostile} />
      <PreviewRow firing={hostileFiring} />
    </DataList>,
  );
  await expect.element(screen.getByText('Cannot be evaluated')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
