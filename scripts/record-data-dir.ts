/**
 * Records a data directory as a version of the program leaves it, for `server/test/old-data.test.ts`:
 *
 *   node scripts/record-data-dir.ts --program DIR --out fixtures/data-dirs/NAME
 *
 * DIR is a checkout of that version, installed (`npm ci`); NAME is best its commit. Everything is written by that
 * program; this script sends and asks. The engine is stopped before the last envelopes, and then everything is killed,
 * so that what was acknowledged is still in the log. What must be found is what the same program finds on a copy.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type DataDirManifest, type OldProject, packDirectory } from '../fixtures/data-dirs/index.ts';
import { unpackDirectory } from '../fixtures/data-dirs/archive.ts';
import { culprit, owner, Server, useProgram } from '../server/test/harness.ts';
import { collectFacts } from '../server/test/old-data/facts.ts';
import { answeredPaths } from './data-dir/paths.ts';
import * as traffic from './data-dir/traffic.ts';
import * as work from './data-dir/work.ts';

/** The longest that the program takes: the engine deletes by real time, which no test can move. */
const environment = { CULPRIT_RETENTION_DAYS: '3650' };
const organization = 'acme';
/** Between the kill and the start of the copy, as in the test. */
const awayMs = 5_000;

const { values } = parseArgs({ options: { program: { type: 'string' }, out: { type: 'string' } } });
if (!values.program || !values.out) throw new Error('usage: record-data-dir.ts --program DIR --out FILE');
const program = resolve(values.program);
useProgram(join(program, 'server/bin/culprit.js'));

type Written = Omit<DataDirManifest, 'paths' | 'facts'>;

/** Makes everything, and leaves the directory as a crash does. */
async function write(server: Server, receiver: Awaited<ReturnType<typeof work.openReceiver>>): Promise<Written> {
  const { installed } = server;
  const person = new work.Person(server, installed.token);
  const shop = await projectOf(person, installed.project);
  await person.call('POST', `/organizations/${organization}/projects/`, { name: 'API', platform: 'node' });
  const api = await projectOf(person, 'api');
  const build = await tokenOf(server, ['--name', 'build', '--organization-token']);
  const team = await work.makeTeam(server, person, shop);

  const now = Date.now();
  await work.makeReleases(person, shop);
  await traffic.sendErrors(shop.dsn, now);
  await traffic.sendRecorded(shop.dsn);
  await traffic.sendAttachments(shop.dsn, now);
  await traffic.sendKept(shop.dsn, now);
  await traffic.sendTransactions(shop.dsn, now);
  await traffic.sendOtlp(api.dsn, now);
  // One that waits for its map, and one that comes after it.
  await traffic.sendEvent(shop.dsn, traffic.builtError('built, early', now - 60_000));
  await server.drained();
  await traffic.upload(server, organization, shop.slug, build);
  await traffic.sendEvent(shop.dsn, traffic.builtError('built, late', now - 30_000));
  for (const [index, value] of ['The tax is missing', 'The bill is late'].entries()) {
    const error = { name: value, type: 'BillError', value, file: `/app/bill-${index}.js`, line: 4, at: now - 40_000 };
    await traffic.sendEvent(api.dsn, traffic.errorOf(error));
  }
  await server.drained();
  await server.until('the early event to be mapped', async () => {
    const path = `/projects/acme/${shop.slug}/events/${traffic.idOf('built, early')}/`;
    const { symbolication } = await person.call<{ symbolication?: { mapped: number } }>('GET', path);
    return (symbolication?.mapped ?? 0) > 0;
  });
  await server.until('the slow query to be found', async () => {
    const path = `/organizations/acme/issues/?query=${encodeURIComponent('issue.category:performance')}`;
    return (await person.call<unknown[]>('GET', path)).length > 0;
  });
  const channel = await work.makeAlerts(server, person, receiver, shop);
  await server.drained();
  await work.workOnIssues(person, new work.Person(server, team.memberToken), shop);
  await work.makeSearches(server, person);
  const session = await signIn(server);
  // What runs beside: owners, escalations, similar issues, deliveries.
  await delay(15_000);
  await server.drained();

  const engine = childOf(server.pid);
  process.kill(engine, 'SIGSTOP');
  const inLog = await traffic.sendLast(shop.dsn, Date.now());
  await delay(1_000);
  const recordedAt = Date.now();
  await server.kill();
  process.kill(engine, 'SIGKILL');
  await delay(200);

  return {
    program: execFileSync('git', ['-C', program, 'rev-parse', '--short=7', 'HEAD']).toString().trim(),
    recordedAt,
    environment,
    organization,
    projects: [shop, api],
    owner,
    tokens: { owner: installed.token, member: team.memberToken, build },
    session,
    invitation: team.invitation,
    channel: { id: channel, secret: work.channelSecret },
    inLog,
  };
}

async function projectOf(person: work.Person, slug: string): Promise<OldProject> {
  const path = `/projects/${organization}/${slug}/`;
  const { id, dsn } = await person.call<{ id: string; dsn: string }>('GET', path);
  return { id, slug, dsn };
}

async function tokenOf(server: Server, words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await culprit(['token', 'create', '--user', owner.email, '--json', ...words], {
    CULPRIT_DATA_DIR: server.dataDir,
  });
  if (code !== 0) throw new Error(`no token: ${stderr}`);
  return (JSON.parse(stdout) as { token: string }).token;
}

async function signIn(server: Server): Promise<string> {
  const response = await fetch(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify(owner),
  });
  if (!response.ok) throw new Error(`no session: ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
}

/** The engine: a server has no other children. */
function childOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  if (!child) throw new Error('the server has no engine');
  return Number(child);
}

/** What the same program makes of the directory, started on a copy. */
async function find(archive: Buffer, written: Written): Promise<Pick<DataDirManifest, 'paths' | 'facts'>> {
  await using server = await Server.create(environment, { init: false, start: false, clock: true });
  await unpackDirectory(archive, server.dataDir);
  await server.moveClock(written.recordedAt + awayMs - Date.now());
  await server.start();
  await server.drained();
  await delay(15_000);
  const paths = await answeredPaths(server, written);
  return { paths, facts: await collectFacts(server, { ...written, paths }) };
}

await using receiver = await work.openReceiver();
await using server = await Server.create({
  ...environment,
  CULPRIT_OUTBOUND_ALLOW: new URL(receiver.url).host,
  CULPRIT_PERFORMANCE_WAIT_SECONDS: '1',
});
const written = await write(server, receiver);
// Of processes that are gone.
for (const name of ['running.json', 'owner.pid', 'state.db-shm']) await rm(join(server.dataDir, name), { force: true });
const archive = await packDirectory(server.dataDir);
const found = await find(archive, written);
await writeFile(`${values.out}.tar.zst`, archive);
await writeFile(`${values.out}.json`, `${JSON.stringify({ ...written, ...found }, undefined, 1)}\n`);
console.log(`${values.out}.tar.zst: ${archive.length} bytes; ${found.paths.length} paths`);
