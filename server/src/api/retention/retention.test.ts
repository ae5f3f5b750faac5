/** Retention over the API: what is kept, what a change would delete, who may change it, and what is told of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachClass } from '../../base/retention.ts';
import { createProject } from '../../domains/projects/index.ts';
import { testLogRow } from '../../ports/events/test-rows.ts';
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

test('a project chooses among policies, sees first what goes, and has the age of the class again', async () => {
  const { project } = await createProject(api.state, { organizationId: api.organizationId, name: 'Keeps less' });
  const own = `/api/0/projects/acme/${project.slug}/retention/`;
  const ask = async (method: 'GET' | 'POST' | 'PUT', at: string, payload?: object) => {
    const answer = await api.call({ method, url: at, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };
  const policies = [
    { name: 'Short', days: 7 },
    { name: 'Long', days: 400 },
  ];
  expect((await ask('PUT', url, { policies })).body.policies).toEqual(
    policies.map((policy) => ({ ...policy, projects: 0 })),
  );
  const old = Array.from({ length: 5 }, (_, index) =>
    testLogRow({ project_id: project.id, timestamp: (Date.now() - 30 * dayMs) * 1_000 + index }),
  );
  await api.events.insert('logs', [...old, testLogRow({ project_id: project.id })], 'logs of one');
  const classes = [{ name: 'logs', policy: 'short' }];
  const preview = await ask('POST', `${own}preview/`, { classes });
  expect(preview.body.classes).toContainEqual(expect.objectContaining({ name: 'logs', keptDays: 7, freedRows: 5 }));
  expect(preview.body.classes).toContainEqual({ name: 'spans', keptDays: 90, freedRows: 0, freedBytes: 0 });
  expect((await ask('GET', own)).body).toMatchObject({ policies, held: false });
  const saved = await ask('PUT', own, { classes });
  expect(saved.body.classes).toContainEqual({ name: 'logs', policy: 'Short', keptDays: 7 });
  expect((await ask('GET', url)).body.policies).toEqual([
    { name: 'Short', days: 7, projects: 1 },
    { name: 'Long', days: 400, projects: 0 },
  ]);
  // What another age of the policy would let go of is in the preview of the installation.
  const whole = await ask('POST', `${url}preview/`, { policies: [{ name: 'Short', days: 3 }] });
  expect(whole.body.classes).toContainEqual(expect.objectContaining({ name: 'logs', freedRows: 5, before: null }));
  const gone = await ask('PUT', url, { policies: policies.slice(1) });
  expect(gone.status).toBe(400);
  expect(gone.body.detail).toContain('The policy "Short" is used by 1 project');
  for (const wrong of [
    { classes: [{ name: 'logs', policy: 'Nobody' }] },
    { classes: [{ name: 'nothing', policy: null }] },
    { classes: [...classes, ...classes] },
  ])
    expect((await ask('PUT', own, wrong)).status, JSON.stringify(wrong)).toBe(400);
  const nine = Array.from({ length: 9 }, (_, index) => ({ name: `p${index}`, days: 1 }));
  expect((await ask('PUT', url, { policies: nine })).status).toBe(400);
  expect((await ask('PUT', own, { classes: [{ name: 'logs', policy: null }] })).body.classes).toContainEqual({
    name: 'logs',
    policy: null,
    keptDays: 90,
  });
  expect((await ask('PUT', url, { policies: [] })).body.policies).toEqual([]);
  const { entries } = await listEntries(api.state, api.organizationId, {}, { limit: 10 });
  expect(entries.filter(({ action }) => action === 'project.retention')).toHaveLength(2);
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
