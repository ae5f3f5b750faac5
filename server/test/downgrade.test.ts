/**
 * An upgrade of what an earlier version left, and the way back: with a restore point that the new version does not touch,
 * and with every event that it accepted, once.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, NodeClient, defaultStackParser, Scope } from '@sentry/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DataDirManifest, readManifest, unpackDataDir } from '../../fixtures/data-dirs/index.ts';
import { listFixtures, readFixture } from '../../fixtures/index.ts';
import { dsn } from '../src/base/dsn.ts';
import { migrations } from '../src/ports/events/migrations/all.ts';
import { changesSince } from '../src/ports/restore-points/index.ts';
import { commandLines, guideText } from './guides.ts';
import { culprit, envelopeUrl, Server } from './harness.ts';
import { collectFacts } from './old-data/facts.ts';

const name = '0.2.0';
let manifest: DataDirManifest;
let server: Server;
let environment: Record<string, string>;
let key: string;

beforeAll(async () => {
  manifest = readManifest(name);
  server = await Server.create({ ...manifest.environment, CULPRIT_LOG_LEVEL: 'info' }, { init: false, start: false });
  await unpackDataDir(name, server.dataDir);
  environment = { ...manifest.environment, CULPRIT_DATA_DIR: server.dataDir, CULPRIT_PORT: String(server.port) };
  const { username, pathname } = new URL(manifest.projects[0]!.dsn);
  key = dsn(server.url, username, Number(pathname.slice(1)));
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** Of each file of the restore point, its hash. */
function hashes(): string {
  const dir = join(server.dataDir, 'restore-points');
  return execFileSync('sh', ['-c', 'find . -type f -exec sha256sum {} + | sort -k2'], { cwd: dir }).toString();
}

const eventIds: string[] = [];

/** By an SDK of today, in its own words. */
async function sendErrors(count: number): Promise<void> {
  const client = new NodeClient({
    dsn: key,
    integrations: [],
    stackParser: defaultStackParser,
    transport: (options) =>
      createTransport(options, async ({ body }) => {
        const { status: statusCode } = await fetch(options.url, { method: 'POST', body: body as string });
        expect(statusCode).toBe(200);
        return { statusCode };
      }),
  });
  client.init();
  for (let index = 0; index < count; index++) {
    eventIds.push(client.captureException(new Error(`meanwhile ${index % 3}`), {}, new Scope()));
  }
  await client.flush(10_000);
}

/** What SDKs sent of every kind: sessions, spans, logs, feedback, attachments, and kinds that no version knows yet. */
async function sendRecorded(): Promise<void> {
  for (const fixture of listFixtures()) {
    const response = await fetch(envelopeUrl(key), {
      method: 'POST',
      body: new Uint8Array(readFixture(fixture).bytes),
    });
    if (!response.ok) throw new Error(`${response.status} for ${fixture}`);
    await response.body?.cancel();
  }
}

/** Rows of each table by project, and events of each issue of the meantime. */
async function found() {
  await server.drained();
  const { spans, segments, logs, items, outcomes, sessions } = (await collectFacts(server, { ...manifest, paths: [] }))
    .rows;
  await using events = await server.events();
  // Problems of performance are found in spans some time after those are stored.
  const errors = await events.query(
    `SELECT project_id, count() AS n FROM errors WHERE issue_type = '' GROUP BY 1 ORDER BY 1`,
  );
  const rows = { spans, segments, logs, items, outcomes, sessions, errors };
  const sent = await events.query<{ event_id: string; n: number }>(
    'SELECT event_id, count() AS n FROM errors WHERE has({ids:Array(String)}, event_id) GROUP BY event_id',
    { ids: eventIds },
  );
  const issues = await events.query<{ title: string; n: number }>(
    `SELECT title, count() AS n FROM errors WHERE startsWith(title, 'Error: meanwhile') GROUP BY title ORDER BY title`,
  );
  return { rows, sent: new Map(sent.map(({ event_id, n }) => [event_id, Number(n)])), issues };
}

/** Commands of the guide, each of which is run below. */
const commands = { check: 'upgrade --check', doctor: 'doctor', back: 'downgrade' } as const;
const run = (command: string, ...more: string[]) => culprit([...command.split(' '), ...more], environment);

test('the guide has these commands and no others', async () => {
  const lines = commandLines(await guideText('upgrade'), 'sh');
  expect(lines).toEqual(Object.values(commands).map((command) => `npx culprit ${command}`));
});

let before: string;
let after: Awaited<ReturnType<typeof found>>;

test('upgrade --check says what will be done, and changes nothing', async () => {
  const all = (): string =>
    execFileSync('sh', ['-c', 'find . -type f ! -name "*-shm" ! -name "*-wal" -exec sha256sum {} + | sort'], {
      cwd: server.dataDir,
    }).toString();
  const files = all();
  const { code, stdout, stderr } = await run(commands.check);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^From 0\.2\.0 to /);
  expect(stdout).toMatch(/State store \(.+\): \d+ migrations: 0030-audit-log, /);
  expect(stdout).toMatch(/Events store \(.+\): \d+ migrations: 0015 facts, /);
  expect(stdout).toMatch(/move into segments, in about/);
  expect(stdout).toMatch(/Restore point: [\d,]+ files \(.+\) are linked and .+ copied\./);
  expect(stdout).toMatch(/Kept for 7 days/);
  const asked = await run(commands.check, '--json');
  expect(JSON.parse(asked.stdout)).toMatchObject({
    before: '0.2.0',
    server: null,
    plan: { state: { pending: expect.arrayContaining(['0030-audit-log']) } },
    restorePoints: [],
  });
  expect(all()).toBe(files);
});

test('the new version keeps a restore point, which nothing of what it does changes', async () => {
  await server.start();
  await server.drained();
  expect(server.output).toMatch(/a restore point of the version before was created/);
  before = hashes();
  await sendErrors(60);
  await sendRecorded();
  after = await found();
  expect([...after.sent.values()]).toEqual(eventIds.map(() => 1));
  await using events = await server.events();
  // Merges, changes of rows and of columns, and the removal of rows, of all parts that are links.
  for (const table of ['errors', 'spans', 'issue_hours', 'outcomes']) {
    await events.command(`OPTIMIZE TABLE ${table} FINAL`);
  }
  await events.command(`ALTER TABLE errors UPDATE level = level WHERE 1 SETTINGS mutations_sync = 2`);
  await events.command(`ALTER TABLE spans DELETE WHERE span_id = 'x' SETTINGS mutations_sync = 2`);
  expect(hashes()).toBe(before);
  const doctor = await run(commands.doctor);
  expect(doctor.stdout).toMatch(/restore points +0\.2\.0 of /);
});

test('while the server runs a downgrade is refused, and a command of another version too', async () => {
  const { code, stderr } = await run(commands.back, '--yes');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is in use .* Stop the server first/)]);
});

test('without an answer nothing is changed; what does not come back is counted', async () => {
  await server.stop();
  const { code, stderr } = await run(commands.back);
  expect(code).toBe(1);
  expect(stderr).toMatch(/Back to 0\.2\.0, as of/);
  expect(stderr).toMatch(/[\d,]+ requests received since come back/);
  expect(stderr).toMatch(/Add --yes/);
  expect(changesSince(server.dataDir, manifest.recordedAt + 1)).toMatchObject({ uploads: 0, deletions: 0 });
  const other = await run(commands.back, '--to', '9.9.9', '--yes');
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('There are restore points of 0.2.0.')]);
});

test('the way back has the stores of then, and all that was accepted since', async () => {
  const { code, stdout, stderr } = await run(commands.back, '--yes', '--json');
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ version: '0.2.0', lost: 0, unreadable: 0 });
  expect(existsSync(join(server.dataDir, 'restore-points'))).toBe(false);
  expect(existsSync(join(server.dataDir, 'version.json'))).toBe(false);
  // In place of the earlier version: this one takes it for the first time again.
  await server.start();
  const again = await found();
  expect(again.sent).toEqual(after.sent);
  expect(again.issues).toEqual(after.issues);
  expect(again.rows).toEqual(after.rows);
  expect((await readdir(join(server.dataDir, 'restore-points'))).length).toBe(1);
  expect(JSON.parse(await readFile(join(server.dataDir, 'version.json'), 'utf8'))).toMatchObject({
    events: migrations.at(-1)?.id,
  });
  expect(server.output).not.toMatch(/"level":(?:50|60)/);
});
