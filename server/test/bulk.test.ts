/** All of a large search is changed at once: it goes on over a kill, lists answer meanwhile, and everything can be had back. */
import { expect, test } from 'vitest';
import { openState } from '../src/ports/state/open.ts';
import type { State } from '../src/ports/state/state.ts';
import { endurance, type Installed, Server } from './harness.ts';

const many = endurance ? 50_000 : 10_000;
/** Issues with events, which lists show; newer than the others. */
const shown = 30;

/** Issues as events would have made them, but for the events. */
async function fill(state: State, projectId: number): Promise<void> {
  const now = Date.now();
  await state.transaction(async (trx) => {
    for (let at = 0; at < many; at += 500) {
      await trx
        .insertInto('issue')
        .values(
          Array.from({ length: 500 }, (_, index) => ({
            project_id: projectId,
            number: 1_000 + at + index,
            status: 'unresolved' as const,
            substatus: index % 2 ? 'new' : 'ongoing',
            level: 'error',
            title: `Error: ${at + index}`,
            culprit: '',
            platform: 'node',
            type: 'error',
            metadata: '{}',
            first_seen: now - 48 * 3_600_000,
            last_seen: now - 3_600_000 - at - index,
            first_release: null,
            last_release: null,
            status_changed_at: null,
            created_at: now,
          })),
        )
        .execute();
    }
  });
}

const byState = async ({ db }: State): Promise<Record<string, number>> => {
  const rows = await db
    .selectFrom('issue')
    .select((eb) => ['status', 'substatus', eb.fn.countAll<number>().as('n')])
    .groupBy(['status', 'substatus'])
    .execute();
  return Object.fromEntries(rows.map((row) => [`${row.status} ${row.substatus ?? ''}`.trim(), Number(row.n)]));
};

async function sendEvents(dsn: string, count: number): Promise<void> {
  const { origin, username, pathname } = new URL(dsn);
  const lines = Array.from({ length: count }, (_, index) => {
    // A fingerprint that says what the message says would lose its number, as the message does.
    const event = { level: 'error', platform: 'node', fingerprint: [`row ${index}`], message: `shown ${index}` };
    return `{}\n{"type":"event"}\n${JSON.stringify(event)}`;
  });
  for (const body of lines) {
    const answer = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  }
}

interface Bulk {
  readonly id: string;
  readonly state: string;
  readonly total: number;
  readonly done: number;
  readonly changed: number;
}

function client({ url, token }: Pick<Installed, 'url' | 'token'>) {
  return async <T>(path: string, method = 'GET', payload?: object): Promise<T> => {
    const answer = await fetch(`${url}/api/0/organizations/acme/issues/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(payload && { 'content-type': 'application/json' }) },
      ...(payload && { body: JSON.stringify(payload) }),
    });
    expect(answer.ok, await answer.clone().text()).toBe(true);
    return (await answer.json()) as T;
  };
}

const middleOf = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

test(`${many} issues are resolved, over a kill, and are as they were once it is undone`, async () => {
  await using server = await Server.create();
  const { dsn } = server.installed;
  const call = client(server.installed);
  await sendEvents(dsn, shown);
  const list = async (): Promise<number> => {
    const began = performance.now();
    expect(await call<unknown[]>('?query=&limit=25')).toHaveLength(25);
    return performance.now() - began;
  };
  await expect.poll(() => call<unknown[]>('?query=&limit=100'), { timeout: 20_000 }).toHaveLength(shown);
  await using state = await openState({ url: '', dataDir: server.dataDir });
  await fill(state, Number(new URL(dsn).pathname.slice(1)));
  const before = await byState(state);
  const atRest: number[] = [];
  for (let round = 0; round < 15; round += 1) atRest.push(await list());

  const started = await call<Bulk>('bulk/', 'POST', { query: 'is:unresolved', change: { status: 'resolved' } });
  expect(started.total).toBe(many + shown);
  const progress: Bulk[] = [];
  const meanwhile: number[] = [];
  const look = async (): Promise<Bulk> => {
    meanwhile.push(await list());
    const now = await call<Bulk>(`bulk/${started.id}/`);
    progress.push(now);
    return now;
  };
  await expect.poll(async () => (await look()).done, { timeout: 60_000, interval: 20 }).toBeGreaterThan(many / 10);
  await server.kill();
  await server.start();
  await expect.poll(async () => (await look()).state, { timeout: 120_000, interval: 20 }).toBe('done');
  expect(progress.at(-1)).toMatchObject({ done: many + shown, changed: many + shown });
  const steps = progress.map((one) => one.done);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  // On a busy machine a few thousand are done between two looks.
  expect(new Set(steps).size).toBeGreaterThan(endurance ? 5 : 2);
  expect(await byState(state)).toEqual({ resolved: many + shown });
  const entries = await state.db
    .selectFrom('issue_activity')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('type', '=', 'set_resolved')
    .executeTakeFirstOrThrow();
  // Each once, whatever was under way when it was killed.
  expect(Number(entries.n)).toBe(many + shown);
  // At rest it asks the engine nothing, and takes less than a turn of anything else does.
  expect(middleOf(meanwhile) / Math.max(10, middleOf(atRest))).toBeLessThan(6);

  await call(`bulk/${started.id}/undo/`, 'POST');
  await expect.poll(async () => (await look()).state, { timeout: 120_000, interval: 20 }).toBe('undone');
  expect(await byState(state)).toEqual(before);

  // What is discarded does not come back, and is counted.
  const [first] = await call<{ id: string }[]>(`?query=${encodeURIComponent('"shown 0"')}`);
  const { undo } = await call<{ undo: { id: string } }>(`${first?.id}/`, 'PUT', { discard: true });
  await state.db.updateTable('bulk_job').set({ due_at: 0 }).where('id', '=', Number(undo.id)).execute();
  await expect.poll(async () => (await call<Bulk>(`bulk/${undo.id}/`)).state, { timeout: 30_000 }).toBe('done');
  await sendEvents(dsn, 2);
  const filtered = async (): Promise<unknown> => {
    const { url, token } = server.installed;
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/0/organizations/acme/outcomes/`, { headers });
    const { groups } = (await answer.json()) as { groups: { outcome: string; reason: string; total: number }[] };
    return groups.filter((one) => one.outcome === 'filtered').map((one) => [one.reason, one.total]);
  };
  await expect.poll(filtered, { timeout: 20_000 }).toEqual([['discarded-hash', 1]]);
  expect(await call<unknown[]>('?query=&limit=100')).toHaveLength(shown - 1);
});
