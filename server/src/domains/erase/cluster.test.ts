/** A person is erased on a cluster: by statements for all nodes, none of which names them, until no file has a byte of them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openBlobs } from '../../ports/blobs/open.ts';
import { migrateEvents } from '../../ports/events/migrations/index.ts';
import { testErrorRow, testLogRow, testSpanRow } from '../../ports/events/test-rows.ts';
import { createDatabases, openTestCluster, startClusterEngine } from '../../ports/events/testing/cluster.ts';
import { openMigratedCopy } from '../../ports/state/testing/migrated.ts';
import { hashKeyOf } from './keys.ts';
import { overwriteRows } from './overwrite.ts';
import type { About } from './person.ts';
import { openSearch } from './rows.ts';
import { find, remove } from './run.ts';

const dir = mkdtempSync(join(tmpdir(), 'culprit-test-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const [ada, bob] = ['ada.zquill@mail.example', 'bob.yonder@mail.example'] as const;

/** Paths below the directory of files that have the text. */
const filesWith = (text: string): string[] =>
  readdirSync(join(dir, 'events'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));

test('rows of the person go, and their bytes; those of others stay', async () => {
  await using engine = await startClusterEngine(dir);
  await createDatabases(engine);
  const heard: string[] = [];
  await using events = openTestCluster(engine, 'single', (sql) => heard.push(sql));
  await migrateEvents(events, { retentionDays: 90 });
  await using state = await openMigratedCopy(dir);
  for (const [index, mail] of [ada, bob].entries()) {
    const id = String(index + 1).repeat(32);
    const user = `email:${mail}`;
    const payload = JSON.stringify({ user: { email: mail } });
    await events.insert('errors', [testErrorRow({ event_id: id, user, user_email: mail, payload })], `e ${mail}`);
    await events.insert('spans', [testSpanRow({ trace_id: id, user })], `s ${mail}`);
    await events.insert('logs', [testLogRow({ body: `mailed ${mail}` })], `l ${mail}`);
  }
  const [row] = await events.query<{ project: number }>('SELECT any(project_id) AS project FROM errors');
  const about: About = { person: [{ kind: 'email', value: ada }], mentions: true, key: 'ab'.repeat(16) };
  const projectIds = [row?.project ?? 0];
  const search = await openSearch(events, { about, projectIds, key: hashKeyOf(about.key) });
  const { signal } = new AbortController();
  const run = { about, search, signal, organizationId: 'org', projectIds };
  const stores = { state, events, blobs: openBlobs({ url: '', dataDir: dir }) };
  expect((await find(stores, run)).kinds).toEqual({
    events: { own: 1, mentioned: 0 },
    spans: { own: 1, mentioned: 0 },
    logs: { own: 0, mentioned: 1 },
  });
  expect(filesWith(ada).length).toBeGreaterThan(0);
  heard.length = 0;
  await remove(stores, { ...run, alias: 'erased:1', onStep() {} });
  expect((await find(stores, run)).kinds).toEqual({});
  expect(await overwriteRows(events, signal)).toBe(true);
  expect(filesWith(ada)).toEqual([]);
  expect(filesWith(bob).length).toBeGreaterThan(0);
  for (const table of ['errors', 'spans', 'logs'])
    expect(await events.query(`SELECT count() AS count FROM ${table}`), table).toEqual([{ count: 1 }]);
  expect(heard.length).toBeGreaterThan(3);
  for (const sql of heard) {
    expect(sql).toMatch(/^ALTER TABLE \w+ ON CLUSTER `single` /);
    expect(sql).not.toContain('zquill');
  }
});
