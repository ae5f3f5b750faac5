/** Retention over the API: what is kept, what a change would delete, who may change it, and what is told of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachClass } from '../../base/retention.ts';
import { listEntries } from '../../domains/audit/index.ts';
import { noteStored } from '../../domains/retention/stored.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

const url = '/api/0/organizations/acme/retention/';
const dayMs = 86_400_000;

async function call(method: 'GET' | 'POST' | 'PUT', at = '', classes?: readonly object[]) {
  const answer = await api.call({ method, url: url + at, ...(classes && { payload: { classes } }) });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

test('without a choice all is kept as the configuration says', async () => {
  const { body } = await call('GET');
  expect(body).toMatchObject({ defaultDays: 90, mayChange: true, measuredAt: null, drops: [] });
  expect(body.classes).toContainEqual({
    name: 'logs',
    days: null,
    keptDays: 90,
    limitBytes: null,
    storedBytes: null,
    storedRows: null,
    overBytes: 0,
  });
});

test('a preview says what a change would delete, and changes nothing', async () => {
  const now = Date.now();
  const unit = (age: number, bytes: number) => ({ before: now - age * dayMs, bytes, rows: 10, bySize: true });
  const units = [unit(50, 5e6), unit(20, 7e6), unit(-3, 9e6)];
  await noteStored(api.state, { at: now, classes: { ...eachClass(() => ({ units: [] })), logs: { units } } });
  const byAge = await call('POST', 'preview/', [{ name: 'logs', days: 30 }]);
  expect(byAge.body.classes).toContainEqual({
    name: 'logs',
    freedBytes: 5e6,
    freedRows: 10,
    before: new Date(now - 50 * dayMs).toISOString(),
    overBytes: 0,
  });
  const bySize = await call('POST', 'preview/', [{ name: 'logs', limitBytes: 2 ** 20 }]);
  expect(bySize.body.classes).toContainEqual(
    expect.objectContaining({ name: 'logs', freedBytes: 12e6, overBytes: 9e6 - 2 ** 20 }),
  );
  expect((await call('GET')).body.classes).toContainEqual(
    expect.objectContaining({ name: 'logs', storedBytes: 21e6, storedRows: 30, days: null }),
  );
});

test('who set up the installation changes it; what is omitted stays, and the audit log has it', async () => {
  expect((await call('PUT', '', [{ name: 'logs', days: 14, limitBytes: 1e9 }])).status).toBe(200);
  const { body } = await call('PUT', '', [{ name: 'logs', limitBytes: 2e9 }]);
  expect(body.classes).toContainEqual(
    expect.objectContaining({ name: 'logs', days: 14, keptDays: 14, limitBytes: 2e9 }),
  );
  const { entries } = await listEntries(api.state, api.organizationId, {}, { limit: 10 });
  expect(entries.filter(({ action }) => action === 'retention.update')).toHaveLength(2);
  const reset = await call('PUT', '', [{ name: 'logs', days: null, limitBytes: null }]);
  expect(reset.body.classes).toContainEqual(expect.objectContaining({ name: 'logs', days: null, keptDays: 90 }));
});

test('what is no age or size is refused, and who did not set up the installation changes nothing', async () => {
  for (const wrong of [
    { name: 'logs', days: 0 },
    { name: 'logs', days: 1.5 },
    { name: 'logs', days: 3651 },
    { name: 'logs', limitBytes: 1 },
    { name: 'nothing', days: 1 },
  ])
    expect((await call('PUT', '', [wrong])).status, JSON.stringify(wrong)).toBe(400);
  const twice = [
    { name: 'logs', days: 3 },
    { name: 'logs', days: 4 },
  ];
  expect((await call('PUT', '', twice)).status).toBe(400);
  expect((await call('POST', 'preview/', twice)).status).toBe(400);
  await api.state.db.deleteFrom('installation_owner').execute();
  expect((await call('PUT', '', [{ name: 'logs', days: 3 }])).status).toBe(403);
  expect((await call('GET')).body).toMatchObject({ mayChange: false });
});
