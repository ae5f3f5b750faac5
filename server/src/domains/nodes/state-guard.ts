/**
 * Requests that need the state store end as soon as that is known to be away, and say since when, and on which node: a
 * query that stands still would keep them for minutes, and nobody can ask for the list of nodes meanwhile.
 */
import { CodedError } from '../../base/errors.ts';
import { stateAway } from '../../base/texts/health.ts';
import type { StoreWatch } from './watch.ts';

/**
 * Settles as `work` does, or throws `CodedError('STATE_UNAVAILABLE')` before. What was begun is not stopped; whoever made
 * a change waits for what becomes of it.
 */
export type StateGuard = <T>(kind: 'question' | 'change', work: () => Promise<T>) => Promise<T>;

const retryAfterSeconds = 5;

/** `address`: of this node. */
export function createStateGuard(watch: StoreWatch, address: () => string): StateGuard {
  const away = (cause?: unknown): CodedError | undefined => {
    const view = watch.view('state');
    if (view?.state !== 'down') return undefined;
    return new CodedError('STATE_UNAVAILABLE', [stateAway(address(), view.since)], {
      cause,
      retryAfter: retryAfterSeconds,
    });
  };
  return async (kind, work) => {
    const known = away();
    if (known) throw known;
    const gone = Promise.withResolvers<never>();
    const forget = kind === 'question' ? watch.onDown('state', () => gone.reject(away())) : undefined;
    try {
      return await Promise.race([work(), gone.promise]);
    } catch (error) {
      if (!(error instanceof CodedError && error.code === 'STATE_UNAVAILABLE')) throw error;
      // It may have been one connection.
      await watch.look('state');
      throw away(error) ?? error;
    } finally {
      forget?.();
    }
  };
}
