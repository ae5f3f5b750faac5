import { spawn } from 'node:child_process';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { addRule, muteForPerson } from '../alerts/index.ts';
import { parseAllowList } from '../outbound/index.ts';
import type { StateOptions } from '../state/open.ts';
import { openState } from '../state/open.ts';
import type { State } from '../state/state.ts';
import { onEachDatabase } from '../state/testing/databases.ts';
import { changeChannel, createChannel, findChannel } from './channel-store.ts';
import { listDeliveries, type LoggedDelivery, resendDelivery } from './delivery-log.ts';
import { enqueue } from './enqueue.ts';
import { parseMailSettings } from './mail/index.ts';
import { type Notifier, openNotifier } from './notifier.ts';
import { changePersonalSettings } from './settings.ts';
import { makePeople, notification, organizationId } from './testing/people.ts';
import { openHttpReceiver, openMailReceiver } from './testing/receiver.ts';
import { testVault } from './testing/vault.ts';
import type { ChannelType, Delivery } from './types.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const nodeFile = fileURLToPath(new URL('testing/node.ts', import.meta.url));

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});
const keep = <T extends AsyncDisposable>(resource: T): T => {
  undo.push(() => resource[Symbol.asyncDispose]());
  return resource;
};

const makeChannel = (state: State, type: ChannelType, config: Record<string, string | string[]>): Promise<number> =>
  createChannel(
    { state, vault: testVault },
    organizationId,
    { type, name: type, config, quietHours: null, enabled: true },
    Date.now(),
  );

const tell = (state: State, key: string, to: Delivery['to'], given: Partial<Delivery> = {}): Promise<boolean> =>
  state.transaction((trx) => enqueue(trx, { key, organizationId, to, notification: notification(), ...given }));

async function logged(state: State): Promise<LoggedDelivery[]> {
  return (await listDeliveries(state, { organizationId, offset: 0, limit: 100 })).toReversed();
}

async function until<T>(what: () => Promise<T> | T, isDone: (value: T) => boolean): Promise<T> {
  const giveUpAt = performance.now() + 20_000;
  for (;;) {
    const value = await what();
    if (isDone(value)) return value;
    if (performance.now() > giveUpAt) throw new Error(`never came: ${JSON.stringify(value)}`);
    await delay(20);
  }
}

const states = async (state: State): Promise<string[]> => (await logged(state)).map(({ state }) => state);

function deliverOn(state: State, smtpUrl = ''): Notifier {
  return keep(
    openNotifier({
      state,
      failures: {
        note(error) {
          throw error;
        },
      },
      mail: parseMailSettings(smtpUrl, 'Culprit <culprit@example.com>', ''),
      allow: parseAllowList('127.0.0.1'),
      vault: testVault,
      getUrl: () => 'http://culprit.test',
      everyMs: 20,
    }),
  );
}

onEachDatabase('deliveries', ({ fresh }) => {
  const open = async (): Promise<{ state: State; place: StateOptions }> => {
    const place = await fresh();
    const state = keep(await openState(place));
    await state.migrate();
    await makePeople(state, ['ada', 'bob']);
    return { state, place };
  };

  test('are made once, whoever enqueues them and however many nodes there are', async () => {
    const { state, place } = await open();
    const other = keep(await openState(place));
    const receiver = keep(await openHttpReceiver());
    const channelId = await makeChannel(state, 'webhook', { url: `${receiver.url}/hook`, secret });
    const told = await Promise.all(
      [state, other].flatMap((node) => [1, 2, 3].map((n) => tell(node, `alert:${n}`, { channelId }))),
    );
    expect(told.filter(Boolean)).toHaveLength(3);
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
    const channelId = await makeChannel(state, 'slack', { url: `${receiver.url}/services/x` });
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
    const slack = await makeChannel(state, 'slack', { url: `${receiver.url}/slack` });
    const hook = await makeChannel(state, 'webhook', { url: `${receiver.url}/hook`, secret });
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
    const channelId = await makeChannel(state, 'email', { to: ['Ada@example.com', 'team@example.com'] });
    const alone = await makeChannel(state, 'email', { to: ['ada@example.com'] });
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
    await until(
      () => states(state),
      (all) => all.every((one) => one !== 'waiting' && one !== 'sending'),
    );
    await tell(state, 'loud', { channelId: alone }, of(loud));
    await until(
      () => states(state),
      (all) => all.length === 3 && all.every((one) => one !== 'waiting' && one !== 'sending'),
    );
    expect(await logged(state)).toMatchObject([
      { state: 'sent' },
      { state: 'skipped', detail: 'muted by everyone it goes to' },
      { state: 'sent' },
    ]);
    expect(mail.mails.map(({ recipients }) => recipients)).toEqual([['team@example.com'], ['ada@example.com']]);
  });

  test('wait for the end of quiet hours, but for what is critical if that is wished', async () => {
    const { state } = await open();
    const receiver = keep(await openHttpReceiver());
    const channelId = await makeChannel(state, 'slack', { url: `${receiver.url}/x` });
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

  test('do not tell in the log what the address of the channel is', async () => {
    const { state } = await open();
    const receiver = keep(await openHttpReceiver());
    const secretPath = `/services/${'x'.repeat(300)}`;
    receiver.answer = ({ path }) => ({
      status: 301,
      body: `go to ${path}`,
      headers: { location: `https://a.test${path}` },
    });
    const channelId = await makeChannel(state, 'slack', { url: `${receiver.url}${secretPath}` });
    await tell(state, 'k', { channelId });
    deliverOn(state);
    const [one] = await until(
      () => logged(state),
      ([first]) => first?.state === 'failed',
    );
    expect(one).toMatchObject({
      detail: 'the address leads on to https://a.test…; use that one',
      attempts: [{ status: 301, answer: 'go to …' }],
    });
    expect((await findChannel(state, organizationId, channelId))?.problem).not.toContain('xxx');
  });

  test('to a pager tell the last word on a matter', async () => {
    const { state } = await open();
    const receiver = keep(await openHttpReceiver());
    receiver.answer = () => ({ status: 500 });
    const channelId = await makeChannel(state, 'pagerduty', { key: 'k', apiUrl: receiver.url });
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
    const channelId = await makeChannel(state, 'pagerduty', { key: 'k', apiUrl: receiver.url });
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

  describe('of a node that is killed', () => {
    interface Node {
      kill(): Promise<void>;
    }
    const startNode = async (place: StateOptions, smtpUrl: string, aheadMs = 0): Promise<Node> => {
      const given = JSON.stringify({ url: place.url, dataDir: place.dataDir, smtpUrl, aheadMs });
      const child = spawn(process.execPath, [nodeFile, given], { stdio: ['ignore', 'pipe', 'inherit'] });
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      const kill = async (): Promise<void> => {
        child.kill('SIGKILL');
        await gone;
      };
      undo.push(kill);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      return { kill };
    };
    /** Another node, once the lease has ended. */
    const startAnother = (place: StateOptions, smtpUrl: string): Promise<Node> => startNode(place, smtpUrl, 120_000);

    test('come once: what was not handed over is sent again, what was is not, unless the receiver knows it again', async () => {
      const { state, place } = await open();
      const held = keep(await openHttpReceiver());
      held.answer = () => new Promise(() => {});
      const mail = keep(await openMailReceiver());
      let asked = 0;
      mail.beforeRecipient = () => {
        asked += 1;
        return new Promise(() => {});
      };
      // It takes connections and never finishes the handshake.
      const sockets: Socket[] = [];
      const handshake = createTcpServer((socket) => sockets.push(socket.on('error', () => {})));
      await new Promise<void>((resolve) => handshake.listen(0, '127.0.0.1', resolve));
      undo.push(() => {
        for (const socket of sockets) socket.destroy();
        handshake.close();
      });
      const { port } = handshake.address() as AddressInfo;

      const slack = await makeChannel(state, 'slack', { url: `${held.url}/slack` });
      const hook = await makeChannel(state, 'webhook', { url: `${held.url}/hook`, secret });
      const pager = await makeChannel(state, 'pagerduty', { key: 'k', apiUrl: held.url });
      const early = await makeChannel(state, 'discord', { url: `https://127.0.0.1:${port}/early` });
      await tell(state, 'slack', { channelId: slack });
      await tell(state, 'hook', { channelId: hook });
      await tell(state, 'pager', { channelId: pager });
      await tell(state, 'early', { channelId: early });
      await tell(state, 'mail', { userId: 'ada' });

      const first = await startNode(place, mail.url);
      await until(
        () => [held.calls.length, sockets.length, asked],
        ([calls, connections, recipients]) => calls === 3 && connections === 1 && recipients === 1,
      );
      await first.kill();
      expect(await states(state)).toEqual(Array.from({ length: 5 }, () => 'sending'));

      held.answer = () => ({ status: 200, body: 'ok' });
      mail.beforeRecipient = async () => {};
      await changeChannel(
        { state, vault: testVault },
        (await findChannel(state, organizationId, early))!,
        { config: { url: `${held.url}/early` } },
        Date.now(),
      );
      await startAnother(place, mail.url);
      await until(
        () => states(state),
        (all) => all.every((one) => one === 'sent' || one === 'uncertain'),
      );
      expect(await states(state)).toEqual(['uncertain', 'sent', 'sent', 'sent', 'sent']);
      const paths = held.calls.map(({ path }) => path).sort();
      expect(paths).toEqual(['/early', '/hook', '/hook', '/slack', '/v2/enqueue', '/v2/enqueue']);
      const keys = held.calls.filter(({ path }) => path === '/hook').map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys)).toEqual(new Set(['hook']));
      expect(mail.mails).toHaveLength(1);
    });

    test('mail that the server had to its last dot is not sent again', async () => {
      const { state, place } = await open();
      const mail = keep(await openMailReceiver());
      mail.beforeAccepting = () => new Promise(() => {});
      await tell(state, 'mail', { userId: 'ada' });
      const first = await startNode(place, mail.url);
      await until(
        () => mail.mails.length,
        (count) => count === 1,
      );
      await first.kill();
      mail.beforeAccepting = async () => {};
      await tell(state, 'after', { userId: 'bob' });
      await startAnother(place, mail.url);
      await until(
        () => states(state),
        (all) => all.join() === 'uncertain,sent',
      );
      expect(mail.mails.map(({ recipients }) => recipients[0])).toEqual(['ada@example.com', 'bob@example.com']);
    });
  });
});
