/** A limit of an issue in the whole program: what a real SDK sends beyond it is counted, also when the server is killed. */
import { createTransport, defaultStackParser, NodeClient, Scope } from '@sentry/node';
import { expect, test } from 'vitest';
import { Server } from './harness.ts';

interface Detail {
  readonly id: string;
  readonly count: string;
  readonly userCount: number;
  readonly storedCount: number;
  readonly estimated: unknown;
  readonly eventLimit: { readonly events: number; readonly per: string } | null;
  readonly waitingEvents: { readonly count: number } | null;
  readonly activity: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
}

interface Account {
  readonly category: string;
  readonly sent: number;
  readonly accepted: number;
  readonly filtered: number;
  readonly dropped: readonly { readonly outcome: string; readonly reason: string; readonly total: number }[];
}

const org = '/organizations/acme';

/** Sends the same error of as many users, no more at once than its queue holds. */
function sender(dsn: string) {
  const client = new NodeClient({
    dsn,
    integrations: [],
    stackParser: defaultStackParser,
    transport: (options) =>
      createTransport(options, async ({ body }) => {
        const response = await fetch(options.url, { method: 'POST', body: body as string });
        await response.arrayBuffer();
        return { statusCode: response.status };
      }),
  });
  client.init();
  let sent = 0;
  return {
    sent: () => sent,
    async send(count: number): Promise<void> {
      for (let left = count; left > 0; left -= 50) {
        for (let index = 0; index < Math.min(50, left); index++) {
          const scope = new Scope();
          scope.setUser({ id: `user ${sent++}` });
          client.captureException(new Error('the same again'), {}, scope);
        }
        expect(await client.flush(20_000)).toBe(true);
      }
    },
    [Symbol.asyncDispose]: async () => void (await client.close(5_000)),
  };
}

test('so many are stored, all are counted, and accounts add up, whatever is killed', async () => {
  await using server = await Server.create({ CULPRIT_STORM_GUARD: 'off' });
  await using sdk = sender(server.installed.dsn);
  await sdk.send(1);
  await server.drained();
  const [listed] = await server.api<{ id: string }[]>(`${org}/issues/`);
  const path = `${org}/issues/${listed?.id}/`;
  const detail = (): Promise<Detail> => server.api<Detail>(path);
  const set = (eventLimit: Detail['eventLimit']) =>
    server.api<Detail & { undo: { id: string } }>(path, { method: 'PUT', body: JSON.stringify({ eventLimit }) });
  const errors = async (): Promise<Account | undefined> =>
    (await server.api<{ accounts: Account[] }>(`${org}/accounts/`)).accounts.find(
      ({ category }) => category === 'error',
    );

  await set({ events: 50, per: 'minute' });
  const limited = await set({ events: 5, per: 'hour' });
  expect(limited.eventLimit).toEqual({ events: 5, per: 'hour' });
  await sdk.send(200);
  await server.kill();
  await server.start();
  await sdk.send(100);
  await server.drained();
  const all = sdk.sent();
  const full = await detail();
  // The hour may have turned meanwhile.
  expect(full.storedCount).toBeGreaterThanOrEqual(6);
  expect(full.storedCount).toBeLessThanOrEqual(11);
  expect(Number(full.count) + (full.waitingEvents?.count ?? 0)).toBe(all);
  expect(full.estimated).toBeNull();
  const outcomes = { sent: all, accepted: full.storedCount, filtered: all - full.storedCount };
  expect(await errors()).toMatchObject({
    ...outcomes,
    dropped: [{ outcome: 'filtered', reason: 'issue-limit', total: outcomes.filtered }],
  });

  await server.api(`${org}/issues/bulk/${limited.undo.id}/undo/`, { method: 'POST' });
  expect((await detail()).eventLimit).toEqual({ events: 50, per: 'minute' });
  await set(null);
  // What waits is counted with the next one that is stored.
  await sdk.send(1);
  await server.drained();
  const whole = await detail();
  expect(whole).toMatchObject({
    count: String(sdk.sent()),
    userCount: sdk.sent(),
    storedCount: full.storedCount + 1,
    eventLimit: null,
    waitingEvents: null,
  });
  expect(await errors()).toMatchObject({ sent: sdk.sent(), accepted: whole.storedCount });
  // Few enough to be read one by one, and not by what they stand for.
  const tags = await server.api<{ key: string; totalValues: number }[]>(`${path}tags/`);
  expect(tags.find(({ key }) => key === 'level')?.totalValues).toBe(sdk.sent());
  const told = whole.activity.filter(({ type }) => type === 'set_limit').map(({ data }) => data['limit']);
  expect(told).toEqual([
    null,
    { events: 50, per: 'minute' },
    { events: 5, per: 'hour' },
    { events: 50, per: 'minute' },
  ]);
  const audited = await server.api<{ action: string }[]>(`${org}/audit-log/?limit=100`);
  const actions = audited.map(({ action }) => action).filter((action) => action.includes('limit'));
  expect(actions).toEqual(['issue.limit', 'issue.undo_limit', 'issue.limit', 'issue.limit']);
});
