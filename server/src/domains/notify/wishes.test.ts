/** Whom deliveries go to, and when: what people wish, and the quiet hours of channels. */
import { expect, test } from 'vitest';
import { addRule, muteForPerson } from '../alerts/index.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { changeChannel, findChannel } from './channel-store.ts';
import { changePersonalSettings } from './settings.ts';
import { makeChannel } from './testing/channels.ts';
import { isOver, logged, opensOutboxes, states, tell, until } from './testing/deliveries.ts';
import { notification, organizationId } from './testing/people.ts';
import { openHttpReceiver, openMailReceiver } from './testing/receiver.ts';
import { testVault } from './testing/vault.ts';

onEachDatabase('deliveries', (databases) => {
  const { deliverOn, keep, open } = opensOutboxes(databases);

  test('to people go by their wishes, as one where several come together', async () => {
    const { state } = await open();
    const mail = keep(await openMailReceiver());
    const ada = { userId: 'ada', organizationId };
    await changePersonalSettings(state, ada, { assigned: 'none' }, Date.now());
    const batch = { name: 'updates', waitMs: 60_000 };
    await tell(state, 'a1', { userId: 'ada' }, { notification: notification({ kind: 'assigned' }) });
    for (const n of [1, 2, 3]) {
      const one = notification({ kind: 'comment', severity: 'info', title: `Comment ${n}`, groupKey: 'issue:1' });
      await tell(state, `c${n}`, { userId: 'bob' }, { notification: one, batch });
    }
    deliverOn(state, mail.url);
    await until(
      () => states(state),
      (all) => all[0] === 'skipped',
    );
    expect(await states(state)).toEqual(['skipped', 'waiting', 'waiting', 'waiting']);
    await state.db.updateTable('delivery').set({ due_at: 1 }).where('state', '=', 'waiting').execute();
    await until(
      () => states(state),
      (all) => all.includes('sent'),
    );
    expect(await states(state)).toEqual(['skipped', 'sent', 'merged', 'merged']);
    expect(mail.mails).toHaveLength(1);
    expect(mail.mails[0]?.recipients).toEqual(['bob@example.com']);
    expect(mail.mails[0]?.text).toMatch(/Comment 1[\s\S]*Comment 2[\s\S]*Comment 3/);
    expect(mail.mails[0]?.subject).toBe("WEB-1 TypeError: Cannot read properties of null (reading 'price')");
  });

  test('of a rule go to nobody who muted it for themselves, and to everybody else', async () => {
    const { state } = await open();
    const mail = keep(await openMailReceiver());
    const channelId = await makeChannel(state, organizationId, 'email', {
      to: ['Ada@example.com', 'team@example.com'],
    });
    const alone = await makeChannel(state, organizationId, 'email', { to: ['ada@example.com'] });
    const maker = { organizationId, userId: 'bob' };
    const trigger = { match: 'any', conditions: [{ type: 'new_issue' }] } as const;
    const shared = { enabled: true, projectIds: [], environment: '', query: '', throttleMinutes: 0, digestMinutes: 0 };
    const rule = { ...shared, kind: 'issue', name: 'New', channelIds: [], owner: null, trigger } as const;
    const [quiet, loud] = [await addRule(state, maker, rule, 1), await addRule(state, maker, rule, 1)];
    await muteForPerson(state, quiet, 'ada', Date.now() + 60_000);
    await muteForPerson(state, loud, 'ada', Date.now() - 60_000);
    const of = (id: number) => ({
      notification: notification({ rule: { id, name: 'New', url: 'http://culprit.test' } }),
    });
    await tell(state, 'quiet', { channelId }, of(quiet));
    await tell(state, 'nobody', { channelId: alone }, of(quiet));
    deliverOn(state, mail.url);
    await until(() => states(state), isOver);
    await tell(state, 'loud', { channelId: alone }, of(loud));
    await until(
      () => states(state),
      (all) => all.length === 3 && all.every((one) => one !== 'waiting' && one !== 'sending'),
    );
    expect(await logged(state)).toMatchObject([
      { state: 'sent' },
      { state: 'skipped', detail: 'all recipients muted the rule' },
      { state: 'sent' },
    ]);
    expect(mail.mails.map(({ recipients }) => recipients)).toEqual([['team@example.com'], ['ada@example.com']]);
  });

  test('wait for the end of quiet hours, but for what is critical if that is wished', async () => {
    const { state } = await open();
    const receiver = keep(await openHttpReceiver());
    const channelId = await makeChannel(state, organizationId, 'slack', { url: `${receiver.url}/x` });
    const channel = await findChannel(state, organizationId, channelId);
    const always = {
      timeZone: 'UTC',
      from: '00:00',
      until: '00:00',
      days: [0, 1, 2, 3, 4, 5, 6],
      criticalPasses: true,
    };
    await changeChannel({ state, vault: testVault }, channel!, { quietHours: always }, Date.now());
    for (const severity of ['warning', 'critical', 'info'] as const) {
      await tell(
        state,
        severity,
        { channelId },
        { notification: notification({ severity, title: `It is ${severity}` }) },
      );
    }
    deliverOn(state);
    await until(
      () => logged(state),
      (all) => all.filter(({ detail }) => detail.includes('quiet')).length === 2 && all[1]?.state === 'sent',
    );
    expect(await states(state)).toEqual(['waiting', 'sent', 'waiting']);
    await changeChannel({ state, vault: testVault }, channel!, { quietHours: null }, Date.now());
    await state.db.updateTable('delivery').set({ due_at: 1 }).where('state', '=', 'waiting').execute();
    await until(
      () => states(state),
      (all) => !all.includes('waiting') && !all.includes('sending'),
    );
    expect(await states(state)).toEqual(['sent', 'sent', 'merged']);
    expect(receiver.calls).toHaveLength(2);
    expect(receiver.calls[1]?.body).toMatch(/WEB-1: 2 updates.*It is warning.*It is info/);
  });

  test('to a pager tell the last word on a matter', async () => {
    const { state } = await open();
    const receiver = keep(await openHttpReceiver());
    receiver.answer = () => ({ status: 500 });
    const channelId = await makeChannel(state, organizationId, 'pagerduty', { key: 'k', apiUrl: receiver.url });
    await tell(state, 'opened', { channelId });
    deliverOn(state);
    await until(
      () => logged(state),
      ([first]) => first?.attempts.length === 1,
    );
    receiver.answer = () => ({ status: 202 });
    await tell(state, 'closed', { channelId }, { notification: notification({ severity: 'resolved' }) });
    await until(
      () => states(state),
      (all) => all.join() === 'merged,sent',
    );
    expect(receiver.calls.map(({ body }) => (JSON.parse(body) as { event_action: string }).event_action)).toEqual([
      'trigger',
      'resolve',
    ]);
  });

  test('to a pager in quiet hours: what is over by their end wakes nobody', async () => {
    const { state } = await open();
    const receiver = keep(await openHttpReceiver());
    const channelId = await makeChannel(state, organizationId, 'pagerduty', { key: 'k', apiUrl: receiver.url });
    const days = [0, 1, 2, 3, 4, 5, 6];
    const quietHours = { timeZone: 'UTC', from: '00:00', until: '00:00', days, criticalPasses: true };
    const channel = await findChannel(state, organizationId, channelId);
    await changeChannel({ state, vault: testVault }, channel!, { quietHours }, Date.now());
    await tell(state, 'opened', { channelId }, { notification: notification({ severity: 'warning' }) });
    deliverOn(state);
    await until(
      () => logged(state),
      ([first]) => first?.detail.includes('quiet') === true,
    );
    await tell(state, 'closed', { channelId }, { notification: notification({ severity: 'resolved' }) });
    await until(
      () => states(state),
      (all) => all.join() === 'merged,sent',
    );
    expect(receiver.calls).toHaveLength(1);
  });
});
