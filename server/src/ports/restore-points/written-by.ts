/**
 * Which version a data directory was last opened by: `version.json`. Versions before this file wrote none; theirs are told
 * by the last migration of their state store.
 */
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ignoreMissing, writeDurable } from '../../base/files.ts';
import { version } from '../../base/version.ts';
import { migrations as eventsMigrations } from '../events/migrations/all.ts';
import { migrations as stateMigrations } from '../state/migrations/index.ts';

export interface WrittenBy {
  /** '' where nobody noted it. */
  readonly version: string;
  /** Name of the last migration of the state store; '' for one that has none. */
  readonly state: string;
  /** Number of the last migration of the events store; undefined where that is not known. */
  readonly events?: number | undefined;
  /** Of the state store: how many. */
  readonly count?: number;
  /** It noted nothing, and is known by its state store. */
  readonly isGuessed?: true;
}

const versionFile = 'version.json';

/** Versions that noted nothing, by the last migration of their state store. */
const earlier: Readonly<Record<string, Pick<WrittenBy, 'version' | 'events'>>> = {
  '0021-feedback': { version: '0.1.0', events: 14 },
  '0029-claims': { version: '0.2.0', events: 14 },
};

export const thisProgram: WrittenBy & { readonly events: number } = {
  version,
  state: stateMigrations.at(-1)?.name ?? '',
  events: eventsMigrations.at(-1)?.id ?? 0,
  count: stateMigrations.length,
};

/** Undefined where nothing lies in it. */
export async function readWrittenBy(dataDir: string): Promise<WrittenBy | undefined> {
  const said = await readFile(join(dataDir, versionFile), 'utf8').catch(ignoreMissing);
  if (said !== undefined) return JSON.parse(said) as WrittenBy;
  if (!['state.db', 'events', 'log/log.mdb'].some((name) => existsSync(join(dataDir, name)))) return undefined;
  const state = appliedState(dataDir).at(-1) ?? '';
  return { version: '', ...earlier[state], state, isGuessed: true };
}

export const writeWrittenBy = (dataDir: string, writtenBy: WrittenBy): Promise<void> =>
  writeDurable(join(dataDir, versionFile), JSON.stringify(writtenBy));

/** As a version leaves it that notes nothing. */
export const removeWrittenBy = (dataDir: string): Promise<void> => rm(join(dataDir, versionFile), { force: true });

/** Names of the migrations that the embedded state store has, in order; also of a server that runs. */
export function appliedState(dataDir: string): string[] {
  const path = join(dataDir, 'state.db');
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const [table] = database.prepare(`select name from sqlite_master where name = 'migration'`).all();
    if (!table) return [];
    return database
      .prepare('select name from migration order by name')
      .all()
      .map(({ name }) => String(name));
  } finally {
    database.close();
  }
}

/** That a program knows all that the other has done. */
export const isKnown = ({ state, events = 0 }: WrittenBy): boolean =>
  events <= thisProgram.events && (state === '' || stateMigrations.some(({ name }) => name === state));

export const isSame = (a: WrittenBy, b: WrittenBy): boolean =>
  a.version === b.version && a.state === b.state && a.count === b.count && (a.events ?? b.events) === b.events;
