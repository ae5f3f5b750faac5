/** How deliveries are made once, tried again and given up. */
import { expect, test } from 'vitest';
import { openState } from '../../ports/state/open.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { findChannel } from './channel-store.ts';
import { resendDelivery } from './delivery-log.ts';
import { enqueue } from './enqueue.ts';
import { makeChannel, webhookSecret } from './testing/channels.ts';
import { isOver, logged, opensOutboxes, states, tell, until } from './testing/deliveries.ts';
import { notification, organizationId } from './testing/people.ts';
import { openHttpReceiver, openMailReceiver } from './testing/receiver.ts';

onEachDatabase('deliveries', (databases) => {
  const { deliverOn, keep, open } = opensOutboxes(databases);

  test('are made once, whoever enqueues them and however many nodes there are', async () => {
    const { state, place } = await open();
    const other = keep(await openState(place));
    const receiver = keep(await openHttpReceiver());
    const channelId = await makeChannel(state, organizationId, 'webhook', {
      url: `${receiver.url}/hook`,
      secret: webhookSecret,
    });
    const queued = await Promise.all(
      [state, other].flatMap((node) => [1, 2, 3].map((n) => tell(node, `alert:${n}`, { channelId }))),
    );
    expect(queued.filter(Boolean)).toHaveLength(3);
    deliverOn(state);
    deliverOn(other);
    await until(
      () => states(state),
      (all) => all.every((one) => one === 'sent'),
    );
    expect(receiver.calls.map(({ headers }) => headers['idempotency-key']).sort()).toEqual([
      'alert:1',
      'alert:2',
      'alert:3',
    ]);
    expect((await logged(state))[0]).toMatchObject({
      attempts: [{ outcome: 'sent', status: 200, answer: 'ok' }],
      detail: '',
    });
    expect(await findChannel(state, organizationId, channelId)).toMatchObject({ health: 'ok', problem: '' });
  });

  test('that were enqueued in a transaction which failed are not made', async () => {
    const { state } = await open();
    const failed = state.transaction(async (trx) => {
      await enqueue(trx, { key: 'k', organizationId, to: { userId: 'ada' }, notification: notification() });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await logged(state)).toEqual([]);
  });

  test('are tried again when the receiver has trouble, and given up when it refuses', async () => {
    const { state } = await open();
    const receiver = keep(await openHttpReceiver());
    const channelId = await makeChannel(state, organizationId, 'slack', { url: `${receiver.url}/services/x` });
    receiver.answer = () => ({ status: 503, body: 'busy', headers: { 'retry-after': '40' } });
    await tell(state, 'one', { channelId });
    await tell(state, 'two', { channelId });
    deliverOn(state);
    const [one] = await until(
      () => logged(state),
      ([first]) => first?.attempts.length === 1,
    );
    expect(one).toMatchObject({ state: 'waiting', attempts: [{ outcome: 'retry', status: 503, answer: 'busy' }] });
    const wait = (one?.dueAt ?? 0) - (one?.attempts[0]?.at ?? 0);
    expect(wait).toBeGreaterThanOrEqual(40_000);
    expect(wait).toBeLessThan(60_000);
    expect(await findChannel(state, organizationId, channelId)).toMatchObject({ health: 'failing' });
    // All of the channel waits with it.
    expect(receiver.calls).toHaveLength(1);

    receiver.answer = () => ({ status: 404, body: 'no_service' });
    const soon = { due_at: 1 };
    await state.db.updateTable('channel').set({ hold_until: null }).execute();
    await state.db.updateTable('delivery').set(soon).execute();
    await until(
      () => states(state),
      (all) => all.every((each) => each === 'failed'),
    );
    expect(await findChannel(state, organizationId, channelId)).toMatchObject({ health: 'broken' });

    receiver.answer = () => ({ status: 200 });
    const [, two] = await logged(state);
    await resendDelivery(state, organizationId, two?.id ?? 0);
    await until(
      () => states(state),
      (all) => all.at(-1) === 'sent',
    );
    expect((await findChannel(state, organizationId, channelId))?.health).toBe('ok');
  });

  test('are not repeated to a receiver that may have them, unless it knows them again', async () => {
    const { state } = await open();
    const receiver = keep(await openHttpReceiver());
    receiver.answer = () => ({ status: 504, body: 'gateway' });
    const slack = await makeChannel(state, organizationId, 'slack', { url: `${receiver.url}/slack` });
    const hook = await makeChannel(state, organizationId, 'webhook', {
      url: `${receiver.url}/hook`,
      secret: webhookSecret,
    });
    await tell(state, 'a', { channelId: slack });
    await tell(state, 'b', { channelId: hook });
    deliverOn(state);
    const [a, b] = await until(
      () => logged(state),
      (all) => all.every(({ attempts }) => attempts.length === 1),
    );
    expect([a?.state, b?.state]).toEqual(['uncertain', 'waiting']);
    expect(a?.finishedAt).not.toBeNull();
  });

  test('by mail that reach some addresses are tried again for the others alone', async () => {
    const { state } = await open();
    const mail = keep(await openMailReceiver());
    const channelId = await makeChannel(state, organizationId, 'email', {
      to: ['a@example.com', 'b@example.com', 'c@example.com'],
    });
    let asked = 0;
    mail.beforeRecipient = async () => {
      asked += 1;
      if (asked === 1) throw Object.assign(new Error('no such mailbox'), { responseCode: 550 });
      if (asked === 3) throw Object.assign(new Error('later'), { responseCode: 451 });
    };
    await tell(state, 'alert:1', { channelId });
    deliverOn(state, mail.url);
    const [row] = await until(
      () => logged(state),
      ([one]) => one?.state === 'waiting' && one.attempts.length === 1,
    );
    expect(row?.detail).toContain('rejected for a@example.com, c@example.com: ');
    await state.db.updateTable('delivery').set({ due_at: 0 }).execute();
    await until(() => states(state), isOver);
    expect(mail.mails.map(({ recipients }) => recipients)).toEqual([['b@example.com'], ['c@example.com']]);
    expect(await states(state)).toEqual(['sent']);
  });

  test('by mail whose node is stopped on the way reach the others from another one', async () => {
    const { state } = await open();
    const mail = keep(await openMailReceiver());
    const channelId = await makeChannel(state, organizationId, 'email', {
      to: ['a@example.com', 'b@example.com', 'c@example.com'],
    });
    const accepting = Promise.withResolvers<void>();
    mail.beforeAccepting = () => accepting.promise;
    await tell(state, 'alert:1', { channelId });
    const first = deliverOn(state, mail.url);
    await until(
      () => mail.mails.length,
      (count) => count === 1,
    );
    const stopped = first[Symbol.asyncDispose]();
    accepting.resolve();
    await stopped;
    expect(await logged(state)).toMatchObject([{ state: 'waiting', attempts: [{ outcome: 'retry' }] }]);
    await state.db.updateTable('delivery').set({ due_at: 0 }).execute();
    deliverOn(state, mail.url);
    await until(() => states(state), isOver);
    expect(mail.mails.map(({ recipients }) => recipients[0])).toEqual([
      'a@example.com',
      'b@example.com',
      'c@example.com',
    ]);
    expect(await states(state)).toEqual(['sent']);
  });

  test('do not tell in the log what the address of the channel is', async () => {
    const { state } = await open();
    const receiver = keep(await openHttpReceiver());
    const secretPath = `/services/${'x'.repeat(300)}`;
    receiver.answer = ({ path }) => ({
      status: 301,
      body: `go to ${path}`,
      headers: { location: `https://a.test${path}` },
    });
    const channelId = await makeChannel(state, organizationId, 'slack', { url: `${receiver.url}${secretPath}` });
    await tell(state, 'k', { channelId });
    deliverOn(state);
    const [one] = await until(
      () => logged(state),
      ([first]) => first?.state === 'failed',
    );
    expect(one).toMatchObject({
      detail: 'the receiver redirects to https://a.test…. Use that address',
      attempts: [{ status: 301, answer: 'go to …' }],
    });
    expect((await findChannel(state, organizationId, channelId))?.problem).not.toContain('xxx');
  });

  test('without a mail server end as skipped, and say which setting is missing', async () => {
    const { state } = await open();
    await tell(state, 'k', { userId: 'ada' });
    deliverOn(state);
    const [one] = await until(
      () => logged(state),
      ([first]) => first?.state === 'skipped',
    );
    expect(one?.detail).toContain('CULPRIT_SMTP_URL');
  });
});
