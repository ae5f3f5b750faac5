/** Ending mail by the link that is in it. */
import { expect, test } from 'vitest';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { changeChannel, findChannel } from './channel-store.ts';
import { enqueue } from './enqueue.ts';
import { changePersonalSettings, getPersonalSettings } from './settings.ts';
import { resubscribe, unsubscribe } from './subscription.ts';
import { makeChannel } from './testing/channels.ts';
import { isOver, logged, opensOutboxes, states, tell, until } from './testing/deliveries.ts';
import { notification, organizationId } from './testing/people.ts';
import { openMailReceiver } from './testing/receiver.ts';
import { testVault } from './testing/vault.ts';

onEachDatabase('deliveries', (databases) => {
  const { deliverOn, keep, open } = opensOutboxes(databases);

  /** What the link of a mail says. */
  const subscriptionIn = ({ headers }: { headers: readonly { key: string; value: string }[] }) => {
    const link = headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
    const token = new URL(link.slice(1, -1)).searchParams.get('token') ?? '';
    return testVault.openSubscription(token);
  };

  test('by mail are for one address each, which leaves its channel alone and comes back alone', async () => {
    const { state } = await open();
    const mail = keep(await openMailReceiver());
    const channelId = await makeChannel(state, organizationId, 'email', {
      to: ['Ada@example.com', 'team@example.com'],
    });
    deliverOn(state, mail.url);
    const send = async (key: string): Promise<readonly (string | undefined)[]> => {
      const before = mail.mails.length;
      await tell(state, key, { channelId });
      await until(() => states(state), isOver);
      return mail.mails.slice(before).map(({ to }) => to?.[0]?.address);
    };
    expect(await send('first')).toEqual(['Ada@example.com', 'team@example.com']);
    expect(mail.mails.map(({ recipients }) => recipients.length)).toEqual([1, 1]);
    expect(new Set(mail.mails.map(({ messageId }) => messageId)).size).toBe(2);
    const [ada, team] = mail.mails.map(subscriptionIn);
    expect(ada).toEqual({ to: 'channel', channelId, name: 'email', address: 'Ada@example.com' });
    for (let times = 0; times < 2; times += 1) await unsubscribe(state, ada!, 1_000 + times);
    expect(await send('second')).toEqual(['team@example.com']);
    const shown = await findChannel(state, organizationId, channelId);
    expect(shown).toMatchObject({ health: 'ok', unsubscribed: [{ address: 'ada@example.com', at: 1_000 }] });
    // Who manages the channel does not bring her back.
    for (const to of [['team@example.com'], ['team@example.com', 'ADA@example.com']]) {
      await changeChannel({ state, vault: testVault }, shown!, { config: { to } }, Date.now());
    }
    expect(await send('third')).toEqual(['team@example.com']);
    await unsubscribe(state, team!, 2_000);
    expect(await send('fourth')).toEqual([]);
    expect((await logged(state)).at(-1)).toMatchObject({
      state: 'skipped',
      detail: 'all recipients unsubscribed',
    });
    expect(await findChannel(state, organizationId, channelId)).toMatchObject({
      health: 'broken',
      problem: 'no recipients: all addresses unsubscribed',
      failingSince: 2_000,
    });
    await resubscribe(state, channelId, 'Ada@Example.com');
    expect(await send('fifth')).toEqual(['ADA@example.com']);
    await state.db.deleteFrom('channel').where('id', '=', channelId).execute();
    await unsubscribe(state, ada!, 3_000);
    expect(await state.db.selectFrom('mail_opt_out').selectAll().execute()).toEqual([]);
  });

  test('of members end by kind, for their address as it is', async () => {
    const { state } = await open();
    const mail = keep(await openMailReceiver());
    deliverOn(state, mail.url);
    const owner = { userId: 'bob', organizationId };
    const batch = { name: 'updates', waitMs: 1 };
    await changePersonalSettings(state, owner, { projects: { 1: 'all', 2: 'none' } }, 1);
    await tell(state, 'token', { userId: 'bob' }, { notification: notification({ kind: 'token' }) });
    await tell(state, 'stranger', { email: 'new@example.com' }, { notification: notification({ kind: 'invitation' }) });
    await until(() => states(state), isOver);
    for (const { headers } of mail.mails) expect(headers.filter(({ key }) => key.startsWith('list-'))).toEqual([]);
    await tell(state, 'report', { userId: 'bob' }, { notification: notification({ kind: 'report' }) });
    await until(() => states(state), isOver);
    expect(subscriptionIn(mail.mails.at(-1)!)).toMatchObject({ kinds: ['report'], address: 'bob@example.com' });
    await state.transaction(async (trx) => {
      for (const kind of ['comment', 'state', 'comment'] as const) {
        const message = { notification: notification({ kind }), batch };
        await enqueue(trx, { key: `${kind} ${Math.random()}`, organizationId, to: { userId: 'bob' }, ...message });
      }
    });
    await until(() => states(state), isOver);
    const subscription = subscriptionIn(mail.mails.at(-1)!);
    expect(subscription).toMatchObject({ to: 'member', userId: 'bob', kinds: ['state', 'comment'] });
    await unsubscribe(state, { ...subscription!, address: 'formerly@example.com' }, 2);
    expect(await getPersonalSettings(state.db, owner)).toMatchObject({ state: 'mine', comment: 'mine' });
    for (let times = 0; times < 2; times += 1) await unsubscribe(state, subscription!, 3);
    expect(await getPersonalSettings(state.db, owner)).toMatchObject({
      state: 'none',
      comment: 'none',
      assigned: 'mine',
      report: true,
      projects: { 2: 'none' },
    });
    await state.db.deleteFrom('member').where('userId', '=', 'bob').execute();
    await unsubscribe(state, subscription!, 4);
  });
});
