import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { openState } from '../open.ts';
import type { StateOptions } from '../open.ts';
import type { State } from '../state.ts';
import { startPostgres } from './postgres-server.ts';
import type { PostgresServer } from './postgres-server.ts';

export interface TestDatabases {
  /** Where a new and empty database lies; it can be opened several times. */
  fresh(): Promise<StateOptions>;
  /** A new database with all tables, closed after the test. */
  migrated(): Promise<State>;
}

/** Runs a suite on SQLite. */
export function onSqlite(name: string, suite: (databases: TestDatabases) => void): void {
  describe(`${name} (sqlite)`, () => {
    let root: string;
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'culprit-state-'));
    });
    afterAll(() => rm(root, { recursive: true, force: true }));
    const fresh = async (): Promise<StateOptions> => ({ url: '', dataDir: await mkdtemp(join(root, 'case-')) });
    suite({ fresh, migrated: closedAfterEach(fresh) });
  });
}

/** Runs a suite on a PostgreSQL that is started for it. */
export function onPostgres(name: string, suite: (databases: TestDatabases) => void): void {
  describe(`${name} (postgres)`, () => {
    let server: PostgresServer;
    let template: string | undefined;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server?.[Symbol.asyncDispose]());
    const at = (url: string): StateOptions => ({ url, dataDir: '' });
    const fresh = async (): Promise<StateOptions> => at(await server.createDatabase());
    const fromTemplate = async (): Promise<StateOptions> => {
      if (template === undefined) {
        const made = await server.createDatabase();
        await using state = await openState(at(made));
        await state.migrate();
        template = made;
      }
      return at(await server.createDatabase(template));
    };
    suite({ fresh, migrated: closedAfterEach(fromTemplate) });
  });
}

export function onEachDatabase(name: string, suite: (databases: TestDatabases) => void): void {
  onSqlite(name, suite);
  onPostgres(name, suite);
}

function closedAfterEach(place: () => Promise<StateOptions>): () => Promise<State> {
  const opened: State[] = [];
  afterEach(async () => {
    for (const state of opened.splice(0)) await state.close();
  });
  return async () => {
    const state = await openState(await place());
    opened.push(state);
    await state.migrate();
    return state;
  };
}
