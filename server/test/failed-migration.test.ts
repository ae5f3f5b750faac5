/** A migration that fails in the middle, for what it wants to make is there already: the version before starts as it did. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { readManifest, unpackDataDir } from '../../fixtures/data-dirs/index.ts';
import { dsn } from '../src/base/dsn.ts';
import { connectEvents } from '../src/ports/events/open.ts';
import { startEngine } from '../src/ports/events/supervisor.ts';
import { culprit, envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';
import { collectFacts } from './old-data/facts.ts';

const name = '0.2.0';
const manifest = readManifest(name);

async function directory(): Promise<Server> {
  const server = await Server.create(manifest.environment, { init: false, start: false });
  await unpackDataDir(name, server.dataDir);
  return server;
}

function inState<T>(server: Server, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(server.dataDir, 'state.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Of a server that does not run. */
async function inEngine<T>(server: Server, work: (events: ReturnType<typeof connectEvents>) => Promise<T>): Promise<T> {
  const engine = await startEngine({ dataDir: join(server.dataDir, 'events') });
  try {
    await using events = connectEvents(engine.address);
    return await work(events);
  } finally {
    await engine.stop();
  }
}

async function expectAllThere(server: Server): Promise<void> {
  await server.drained();
  const { state, rows } = await collectFacts(server, { ...manifest, paths: [] });
  // Others grow with time: what is found in spans, what alerts tell.
  const { member, project, release, user } = manifest.facts.state;
  expect(state).toMatchObject({ member, project, release, user });
  expect(rows.spans).toEqual(manifest.facts.rows.spans);
}

test('of the state store nothing is changed, and the start says why', async () => {
  await using server = await directory();
  const shape = (): unknown =>
    inState(server, (state) => [
      state.prepare('select name, sql from sqlite_master order by name').all(),
      state.prepare('select name from migration order by name').all(),
    ]);
  // After ten others of this start.
  inState(server, (state) => state.exec('create table scim_user (in_the_way); create table scim_group (in_the_way)'));
  const before = shape();
  await expect(server.start()).rejects.toThrow(
    /The migration 0036-scim of the state store failed: .+scim_.+\(MIGRATION_FAILED\)/,
  );
  expect(shape()).toEqual(before);
  // What was in the way is gone, so this version, too, starts as it would have.
  inState(server, (state) => state.exec('drop table scim_user; drop table scim_group'));
  await server.start();
  await expectAllThere(server);
});

test('of the events store the way back leads to what it was, with what was accepted meanwhile', async () => {
  await using server = await directory();
  await inEngine(server, (events) => events.command('CREATE TABLE issue_ranks (in_the_way UInt8) ENGINE = Memory'));
  await server.start({ ready: false });
  await server.until('the migration to fail', () => /the events store is not ready/.test(server.output));
  // Events are accepted all the same.
  const eventId = newEventId();
  const { username } = new URL(manifest.projects[0]!.dsn);
  const url = envelopeUrl(dsn(server.url, username, Number(manifest.projects[0]!.id)));
  expect((await fetch(url, { method: 'POST', body: errorEnvelope(eventId) })).status).toBe(200);
  await server.stop();
  const half = await inEngine(server, (events) =>
    events.query<{ n: number }>('SELECT max(id) AS n FROM schema_migrations'),
  );
  expect(Number(half[0]?.n)).toBe(17);

  const { code, stderr } = await culprit(['downgrade', '--yes'], {
    ...manifest.environment,
    CULPRIT_DATA_DIR: server.dataDir,
  });
  expect(stderr).toMatch(/\d requests? received since come back/);
  expect(code).toBe(0);
  const [then] = await inEngine(server, async (events) => {
    const found = await events.query<{ n: number }>('SELECT max(id) AS n FROM schema_migrations');
    await events.command('DROP TABLE issue_ranks');
    return found;
  });
  expect(Number(then?.n)).toBe(14);
  await server.start();
  await server.drained();
  await using events = await server.events();
  const [row] = await events.query<{ n: number }>('SELECT count() AS n FROM errors WHERE event_id = {id:String}', {
    id: eventId,
  });
  expect(Number(row?.n)).toBe(1);
});
