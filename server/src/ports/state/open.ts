import { CodedError } from '../../base/errors.ts';
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

/** Opens and migrates. Throws `CodedError('STATE_UNAVAILABLE')` when PostgreSQL cannot be reached or lets nobody in. */
export async function openMigratedState(options: StateOptions): Promise<{ state: State; applied: string[] }> {
  const state = await openState(options);
  try {
    return { state, applied: await state.migrate() };
  } catch (error) {
    await state.close();
    const reason = error instanceof CodedError ? error.cause : error;
    throw options.url && isUnreachable(reason)
      ? new CodedError('STATE_UNAVAILABLE', [reason.message || reason.code], { cause: error })
      : error;
  }
}

/** Codes of the system begin with E; those of PostgreSQL for refused connections and unknown databases are listed. */
function isUnreachable(error: unknown): error is Error & { readonly code: string } {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false;
  return /^(?:E[A-Z]+|28000|28P01|3D000|08\d{3}|53300|57P03)$/.test(error.code);
}
