/** Links that end mail: what strangers, members and managers of a channel can do with them, and without. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enqueue } from '../../src/domains/notify/index.ts';
import { type MailReceiver, openMailReceiver } from '../../src/domains/notify/testing/receiver.ts';
import { openState } from '../../src/ports/state/open.ts';
import { Server } from '../harness.ts';
import { act, type Actor, join, signIn, tokenOf } from './people.ts';
import { rawCall } from './raw-call.ts';

let server: Server;
let mail: MailReceiver;
let owner: Actor;
let channelId: string;

beforeAll(async () => {
  mail = await openMailReceiver();
  server = await Server.create({ CULPRIT_SMTP_URL: mail.url, CULPRIT_LOG_LEVEL: 'trace' });
  owner = await signIn(server);
  const channel = { type: 'email', name: 'On <call>', config: { to: ['mallory@example.com', 'team@example.com'] } };
  const { body } = await act<{ id: string }>(server, owner, 'POST', '/organizations/acme/channels/', channel);
  channelId = body.id;
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

/** Who got a message of the channel. Invitations go by mail, too, and may come meanwhile. */
async function recipientsOf(key: string, count: number): Promise<(string | undefined)[]> {
  await using state = await openState({ url: '', dataDir: server.dataDir });
  const { id: organizationId } = await state.db.selectFrom('organization').select('id').executeTakeFirstOrThrow();
  await enqueue(state.db, {
    key,
    organizationId,
    to: { channelId: Number(channelId) },
    notification: {
      kind: 'issue_alert',
      severity: 'critical',
      title: key,
      text: '',
      url: server.url,
      fields: [],
      groupKey: key,
    },
  });
  await server.until('the delivery is over', async () => {
    const row = await state.db.selectFrom('delivery').select('finished_at').where('key', '=', key).executeTakeFirst();
    return row?.finished_at !== null;
  });
  const got = mail.mails.filter(({ subject }) => subject?.endsWith(key));
  expect(got).toHaveLength(count);
  return got.map(({ recipients }) => recipients[0]);
}

function linkFor(address: string): string {
  const found = mail.mails.findLast(({ recipients }) => recipients[0] === address);
  const header = found?.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  expect(found?.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe('List-Unsubscribe=One-Click');
  return header.slice(1, -1);
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const oneClick = { method: 'POST', headers: form, body: 'List-Unsubscribe=One-Click' };

interface Shown {
  readonly id: string;
  readonly health: string;
  readonly problem: string;
  readonly unsubscribed: readonly { readonly address: string }[];
}
const shown = async (): Promise<Shown | undefined> =>
  (await act<Shown[]>(server, owner, 'GET', '/organizations/acme/channels/')).body.find(({ id }) => id === channelId);

describe.sequential('the link that ends a mail', () => {
  test('ends it for its address by one click, signed out, also after a restart; looking at it does not', async () => {
    expect(await recipientsOf('one', 2)).toEqual(['mallory@example.com', 'team@example.com']);
    const link = linkFor('mallory@example.com');
    const page = await rawCall(link);
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(page.text).toContain('On &#60;call&#62;');
    expect(page.text).not.toContain('<script');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    await rawCall(link, { method: 'HEAD' });
    expect(await recipientsOf('two', 2)).toHaveLength(2);
    await server.stop();
    await server.start();
    // A mail program says it as a form of either kind, from no page of ours, and may say it twice.
    const parts = '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    const multipart = { 'content-type': 'multipart/form-data; boundary=x', origin: 'https://mail.example' };
    expect((await rawCall(link, { method: 'POST', headers: multipart, body: parts })).status).toBe(200);
    expect((await rawCall(link, oneClick)).status).toBe(200);
    expect(await recipientsOf('three', 1)).toEqual(['team@example.com']);
    expect(await shown()).toMatchObject({ health: 'ok', unsubscribed: [{ address: 'mallory@example.com' }] });
  });

  test('cannot be guessed, made of another one or read; what it answers says nothing of what is stored', async () => {
    const link = new URL(linkFor('team@example.com'));
    const token = link.searchParams.get('token') ?? '';
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('team');
    const last = token.at(-9) === 'A' ? 'B' : 'A';
    const wrong = ['', 'x', token.slice(0, -2), `${token.slice(0, -9)}${last}${token.slice(-8)}`, 'A'.repeat(5_000)];
    const answers = await Promise.all(
      wrong.map((one) => rawCall(`${server.url}/unsubscribe?token=${encodeURIComponent(one)}`, oneClick)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(400);
    expect((await rawCall(link.href, { ...oneClick, body: 'x'.repeat(20_000) })).status).toBe(413);
    expect(await recipientsOf('four', 1)).toEqual(['team@example.com']);
  });

  test('is the only way back, but for an account of that address', async () => {
    const path = `/organizations/acme/channels/${channelId}/`;
    for (const to of [['team@example.com'], ['team@example.com', 'Mallory@example.com']]) {
      expect((await act(server, owner, 'PUT', path, { config: { to } })).status).toBe(200);
    }
    expect((await act(server, owner, 'POST', `${path}test/`)).body).toMatchObject({ state: 'sent' });
    expect(mail.mails.at(-1)?.recipients).toEqual(['team@example.com']);
    // Asked by another address it brings back nobody.
    const other = await join(server, 'other', 'member');
    for (const actor of [owner, other]) {
      expect(await act(server, actor, 'POST', `${path}subscription/`)).toMatchObject({
        status: 200,
        body: { unsubscribed: [{ address: 'mallory@example.com' }] },
      });
    }
    const weak = await tokenOf(server, owner, 'org:read');
    expect((await act(server, weak, 'POST', `${path}subscription/`)).status).toBe(403);
    expect((await act(server, { headers: {} }, 'POST', `${path}subscription/`)).status).toBe(401);
    expect(await recipientsOf('five', 1)).toEqual(['team@example.com']);
    const mallory = await join(server, 'mallory', 'member');
    const back = await act(server, mallory, 'POST', `${path}subscription/`);
    expect(back).toMatchObject({ status: 200, body: { unsubscribed: [] } });
    expect(await recipientsOf('six', 2)).toContain('Mallory@example.com');
  });

  test('leaves a channel that says that nobody is left', async () => {
    for (const address of ['team@example.com', 'Mallory@example.com']) await rawCall(linkFor(address), oneClick);
    expect(await recipientsOf('seven', 0)).toEqual([]);
    expect(await shown()).toMatchObject({
      health: 'broken',
      problem: expect.stringContaining('unsubscribed') as string,
    });
    expect((await act(server, owner, 'POST', `/organizations/acme/channels/${channelId}/test/`)).status).toBe(400);
    const resumed = await rawCall(linkFor('team@example.com'), { method: 'POST', headers: form, body: 'do=resume' });
    expect(resumed.text).toContain('again');
    expect(await recipientsOf('eight', 1)).toEqual(['team@example.com']);
  });

  test('is limited for who tries many, and stands in no log', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => rawCall(`${server.url}/unsubscribe?token=${n}`, oneClick)),
    );
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    for (const { headers } of mail.mails) {
      const link = headers.find(({ key }) => key === 'list-unsubscribe')?.value;
      if (link) expect(server.output).not.toContain(new URL(link.slice(1, -1)).searchParams.get('token'));
    }
  });
});
