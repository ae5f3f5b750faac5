import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { openState } from '../open.ts';
import type { StateOptions } from '../open.ts';
import type { State } from '../state.ts';
import { layMigratedCopy } from './migrated.ts';
import { clearDatabase, shapeOf } from './postgres-rows.ts';
import { sharedPostgres } from './postgres-server.ts';

export interface TestDatabases {
  /** Where a new and empty database lies; it can be opened several times. */
  fresh(): Promise<StateOptions>;
  /** A database with all tables and without rows, closed after the test. */
  migrated(): Promise<State>;
  /** Where such a one lies; whoever opens it closes it before the test ends. */
  migratedPlace(): Promise<StateOptions>;
}

/** Runs a suite on SQLite. */
export function onSqlite(name: string, suite: (databases: TestDatabases) => void): void {
  describe(`${name} (sqlite)`, () => {
    let root: string;
    const opened: State[] = [];
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'culprit-state-'));
    });
    afterAll(() => rm(root, { recursive: true, force: true }));
    afterEach(async () => {
      for (const state of opened.splice(0)) await state.close();
    });
    const fresh = async (): Promise<StateOptions> => ({ url: '', dataDir: await mkdtemp(join(root, 'case-')) });
    const migratedPlace = async (): Promise<StateOptions> => {
      const place = await fresh();
      await layMigratedCopy(place.dataDir);
      return place;
    };
    suite({
      fresh,
      migratedPlace,
      async migrated() {
        const state = await openState(await migratedPlace());
        opened.push(state);
        return state;
      },
    });
  });
}

const at = (url: string): StateOptions => ({ url, dataDir: '' });

/** PostgreSQL copies a database file by file, a thousand of them; deleting the rows of a test is a hundred times less. */
const unused: string[] = [];
let template: Promise<{ readonly url: string; readonly shape: string }> | undefined;

async function makeTemplate(): Promise<{ url: string; shape: string }> {
  const server = await sharedPostgres();
  const url = await server.createDatabase();
  await using state = await openState(at(url));
  await state.migrate();
  return { url, shape: await shapeOf(url) };
}

async function takeDatabase(): Promise<string> {
  const found = unused.pop();
  if (found !== undefined) return found;
  template ??= makeTemplate();
  const { url } = await template;
  return (await sharedPostgres()).createDatabase(url);
}

/** Where more than rows has changed, or somebody is still there, the database is not used again. */
async function giveBack(url: string): Promise<void> {
  const shape = (await template)?.shape ?? '';
  if (await clearDatabase(url, shape)) unused.push(url);
}

/** Runs a suite on a PostgreSQL. */
export function onPostgres(name: string, suite: (databases: TestDatabases) => void): void {
  describe(`${name} (postgres)`, () => {
    const taken: string[] = [];
    const opened: State[] = [];
    beforeAll(async () => {
      await sharedPostgres();
    });
    afterEach(async () => {
      for (const state of opened.splice(0)) await state.close();
      for (const url of taken.splice(0)) await giveBack(url);
    });
    const migratedPlace = async (): Promise<StateOptions> => {
      const url = await takeDatabase();
      taken.push(url);
      return at(url);
    };
    suite({
      fresh: async () => at(await (await sharedPostgres()).createDatabase()),
      migratedPlace,
      async migrated() {
        const state = await openState(await migratedPlace());
        opened.push(state);
        return state;
      },
    });
  });
}

export function onEachDatabase(name: string, suite: (databases: TestDatabases) => void): void {
  onSqlite(name, suite);
  onPostgres(name, suite);
}
