/** Quotas of a whole program: over a kill in the middle of a month, with mails at 80 and 100 %, and all that was sent adds up. */
import { parseRateLimits } from '@culprit/envelope';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailReceiver, openMailReceiver } from '../src/domains/notify/testing/receiver.ts';
import { envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

let server: Server;
let mails: MailReceiver;
beforeAll(async () => {
  mails = await openMailReceiver();
  server = await Server.create({ CULPRIT_SMTP_URL: mails.url, CULPRIT_MAIL_FROM: 'culprit@example.com' });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await mails?.[Symbol.asyncDispose]();
});

const quotas = (): string => `/organizations/${server.installed.organization}/quotas/`;
const send = () => fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body: errorEnvelope(newEventId()) });

async function sendAll(count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push((await send()).status);
  return statuses;
}

interface Quotas {
  readonly used: { readonly category: string; readonly used: number }[];
  readonly quotas: { readonly used: number }[];
}
const isUsed = (used: number) =>
  server.until(`${used} of the quota to be stored`, async () => {
    const found = await server.api<Quotas>(quotas());
    return found.quotas[0]?.used === used;
  });

/** Until the look-out has looked twice from now on. */
async function looked(): Promise<void> {
  const ended = async (): Promise<number> => {
    const { jobs } = await server.api<{ jobs: { name: string; lastEnded: string | null }[] }>('/health/');
    return Date.parse(jobs.find(({ name }) => name === 'quota-watch')?.lastEnded ?? '') || 0;
  };
  for (let times = 0; times < 2; times++) {
    const before = await ended();
    await server.until('the look at quotas', async () => (await ended()) > before);
  }
}

const told = (): string[] =>
  mails.mails.map(({ subject }) => subject ?? '').filter((subject) => subject.includes('quota'));

test('a month goes on after kills; people are told at 80 and at 100 %, once each', async () => {
  const made = { project: server.installed.project, category: 'error', period: 'month', amount: 10 };
  await server.api(quotas(), { method: 'POST', body: JSON.stringify(made) });
  expect(await sendAll(7)).toEqual(Array.from({ length: 7 }, () => 200));
  await isUsed(7);
  await looked();
  expect(told()).toEqual([]);
  await server.kill();
  await server.start();

  expect(await sendAll(1)).toEqual([200]);
  await server.until('the mail at 80 %', async () => told().length > 0);
  const [mail] = mails.mails.slice(-1);
  expect(mail?.subject).toContain('80% of the monthly quota of project web is used: 8 errors of 10 errors');
  expect(mail?.text).toMatch(/Most from issue: WEB-1 TypeError.*: 8 errors \(100%\)|WEB-1 TypeError/s);

  await sendAll(1);
  const last = await send();
  expect(last.status).toBe(200);
  expect(parseRateLimits(last.headers.get('x-sentry-rate-limits') ?? '')).toMatchObject([
    { categories: ['error', 'security'], scope: 'project', reason: 'month_quota' },
  ]);
  expect(await sendAll(3)).toEqual([429, 429, 429]);
  await isUsed(10);
  await server.kill();
  await server.start();
  // At most what comes until the store has answered is taken beyond it.
  const [first, ...others] = await sendAll(4);
  expect([200, 429]).toContain(first);
  expect(others).toEqual([429, 429, 429]);
  await server.until('the mail at 100 %', async () => told().length > 1);
  await looked();
  expect(told().map((subject) => /\d+%/.exec(subject)?.[0])).toEqual(['80%', '100%']);

  await server.drained();
  await using events = await server.events();
  const outcomes = await events.query<{ outcome: string; reason: string; n: number }>(
    "SELECT outcome, reason, sum(quantity) AS n FROM outcomes WHERE category = 'error' GROUP BY outcome, reason ORDER BY n DESC",
  );
  const sums = Object.fromEntries(outcomes.map(({ outcome, reason, n }) => [`${outcome} ${reason}`.trim(), Number(n)]));
  const taken = first === 200 ? 11 : 10;
  // What was refused within the second before a kill is counted nowhere, as that of all refusals.
  expect(sums['accepted']).toBe(taken);
  expect(sums['rate_limited month_quota']).toBeGreaterThanOrEqual(18 - taken - 4);
  expect(sums['rate_limited month_quota']).toBeLessThanOrEqual(18 - taken);
});

test('a raised quota takes more within seconds, and a quota of 0 takes nothing', async () => {
  const { quotas: all } = await server.api<{ quotas: { id: string }[] }>(quotas());
  const change = (amount: number) =>
    server.api(`${quotas()}${all[0]?.id}/`, { method: 'PUT', body: JSON.stringify({ amount }) });
  await change(100);
  await server.until('the new amount', async () => (await send()).status === 200);
  await change(0);
  await server.until('the new amount', async () => (await send()).status === 429);
  const answer = await send();
  expect(await answer.json()).toMatchObject({ code: 'QUOTA_EXCEEDED' });
});

test('what a second key sends counts for the project, and not for the first one', async () => {
  const { organization, project, dsn } = server.installed;
  const keys = `/projects/${organization}/${project}/keys/`;
  const second = await server.api<{ id: string; dsn: { public: string } }>(keys, { method: 'POST', body: '{}' });
  const { quotas: all } = await server.api<{ quotas: { id: string }[] }>(quotas());
  await server.api(`${quotas()}${all[0]?.id}/`, { method: 'PUT', body: JSON.stringify({ amount: 1e6 }) });
  const made = { project, key: new URL(dsn).username, category: 'error', period: 'month', amount: 0 };
  await server.api(quotas(), { method: 'POST', body: JSON.stringify(made) });
  await server.until('the quota of the first key', async () => (await send()).status === 429);
  const { used: before } = (await server.api<{ quotas: { scope: string; used: number }[] }>(quotas())).quotas.find(
    ({ scope }) => scope === 'project',
  ) ?? { used: 0 };
  const other = await fetch(envelopeUrl(second.dsn.public), { method: 'POST', body: errorEnvelope(newEventId()) });
  expect(other.status).toBe(200);
  await server.until('the count of the project', async () => {
    const found = await server.api<{ quotas: { scope: string; used: number }[] }>(quotas());
    return found.quotas.find(({ scope }) => scope === 'project')?.used === before + 1;
  });
});
