import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/errors.ts';
import { dynamicStaleTimeMs, keptForBackMs } from '../features/freshness.ts';
import { reportServerFailure } from './report.ts';

/** The session is no longer known, or no longer enters the organisation. */
const isOut: ReadonlySet<string> = new Set([
  'AUTH_REQUIRED',
  'SECOND_FACTOR_REQUIRED',
  'PROVIDER_REQUIRED',
  'ADDRESS_NOT_ALLOWED',
]);

/** `onSignedOut` is called when the server no longer takes the session. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && isOut.has(error.code)) onSignedOut();
        if (error instanceof ApiError) reportServerFailure(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error) => {
        if (error instanceof ApiError) reportServerFailure(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: dynamicStaleTimeMs,
        gcTime: keptForBackMs,
        // Offline, too: an error can be read and tried again, what waits silently cannot. It is asked again when back.
        networkMode: 'always',
        refetchOnReconnect: true,
        // A refusal stays one; only a server or connection that is away for the moment is asked again.
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
        retryDelay: (attempt, error) =>
          error instanceof ApiError && error.retryAfter ? Math.min(error.retryAfter, 10) * 1000 : 400 * 2 ** attempt,
      },
    },
  });
}
