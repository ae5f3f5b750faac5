import type { State } from './state.ts';

export interface StateOptions {
  /** `''` for SQLite in the data directory, `postgres://…` for PostgreSQL. */
  readonly url: string;
  readonly dataDir: string;
}

/** Chooses the database by the URL. Does not migrate. */
export async function openState({ url, dataDir }: StateOptions): Promise<State> {
  if (url) {
    const { openPostgresState } = await import('./postgres.ts');
    return openPostgresState({ url });
  }
  const { openSqliteState } = await import('./sqlite.ts');
  return openSqliteState({ dataDir });
}
