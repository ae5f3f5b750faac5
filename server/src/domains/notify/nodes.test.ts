/** Nodes that are killed while they deliver: nothing is lost, and nothing is said twice that the receiver would not recognise. */
import { spawn } from 'node:child_process';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { StateOptions } from '../../ports/state/open.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { changeChannel, findChannel } from './channel-store.ts';
import { makeChannel, webhookSecret } from './testing/channels.ts';
import { opensOutboxes, states, tell, until } from './testing/deliveries.ts';
import { organizationId } from './testing/people.ts';
import { openHttpReceiver, openMailReceiver } from './testing/receiver.ts';
import { testVault } from './testing/vault.ts';

const nodeFile = fileURLToPath(new URL('testing/node.ts', import.meta.url));

onEachDatabase('deliveries of a node that is killed', (databases) => {
  const { keep, open, undo } = opensOutboxes(databases);

  interface Node {
    kill(): Promise<void>;
  }
  const startNode = async (place: StateOptions, smtpUrl: string, aheadMs = 0): Promise<Node> => {
    const options = JSON.stringify({ url: place.url, dataDir: place.dataDir, smtpUrl, aheadMs });
    const child = spawn(process.execPath, [nodeFile, options], { stdio: ['ignore', 'pipe', 'inherit'] });
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

    const slack = await makeChannel(state, organizationId, 'slack', { url: `${held.url}/slack` });
    const hook = await makeChannel(state, organizationId, 'webhook', {
      url: `${held.url}/hook`,
      secret: webhookSecret,
    });
    const pager = await makeChannel(state, organizationId, 'pagerduty', { key: 'k', apiUrl: held.url });
    const early = await makeChannel(state, organizationId, 'discord', { url: `https://127.0.0.1:${port}/early` });
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
    expect(paths).toEqual(['/early?wait=true', '/hook', '/hook', '/slack', '/v2/enqueue', '/v2/enqueue']);
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
