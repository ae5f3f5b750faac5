/** Says with one code that PostgreSQL is away, and keeps no connection on which an answer did not come. */
import type { PostgresPool } from 'kysely';
import type { Pool } from 'pg';
import { CodedError } from '../../base/errors.ts';

const retryAfterSeconds = 5;

/** Codes of the system begin with E; of PostgreSQL's, those of lost connections and of a server that starts or stops. */
const awayCode = /^(?:E[A-Z]+|08\d{3}|57P0[1-3]|53300)$/;
/** What the client itself says has no code. */
const awayText =
  /^(?:Connection terminated|Query read timeout|timeout (?:exceeded|expired))|^Client has encountered a connection error/;

/** Undefined for an error that PostgreSQL itself gave as its answer. */
export function awayError(error: unknown): CodedError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (!awayCode.test(code) && !awayText.test(error.message)) return undefined;
  const reason = (error.message || code).split('\n', 1)[0] ?? code;
  return new CodedError('STATE_UNAVAILABLE', [reason], { cause: error, retryAfter: retryAfterSeconds });
}

export function watched(pool: Pool): PostgresPool {
  // The pool replaces an idle connection that breaks; without a listener it would end the process.
  pool.on('error', () => {});
  // So would one that is in use; whoever uses it hears of it by the answer that does not come.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw awayError(error) ?? error;
      });
      let isBroken = false;
      const query = async (...args: Parameters<typeof client.query>): Promise<unknown> => {
        try {
          return await client.query(...args);
        } catch (error) {
          const away = awayError(error);
          if (!away) throw error;
          isBroken = true;
          throw away;
        }
      };
      return { query: query as never, release: () => client.release(isBroken) };
    },
    end: () => pool.end(),
  };
}
