import { useQuery, type QueryKey, type UseQueryResult } from '@tanstack/react-query';
import { shareOf, type Estimable } from './estimate.ts';

/** An estimate and the exact answer that is to take its place. */
export interface EstimateState {
  /** Of the rows, 0 to 1. */
  readonly share: number;
  /** `stopped`: by the reader. */
  readonly exact: 'running' | 'failed' | 'stopped';
  readonly error: unknown;
  readonly retry: () => void;
}

/**
 * Asks the exact question behind an estimated answer. What comes takes its place in the cache, so that the page shows it
 * as it would any newer answer; where the page is left, or asks another question, both are cancelled.
 */
export function useExact<Answer extends Estimable>(
  first: UseQueryResult<Answer>,
  { queryKey, ask }: { readonly queryKey: QueryKey; readonly ask: (signal: AbortSignal) => Promise<Answer> },
  isShown = true,
): EstimateState | undefined {
  const share = first.isPlaceholderData || !isShown ? undefined : shareOf(first.data);
  const exact = useQuery({
    queryKey: [...queryKey, 'exact'],
    queryFn: async ({ client, signal }) => {
      const answer: Answer = { ...(await ask(signal)), wasEstimated: true };
      client.setQueryData(queryKey, answer);
      return answer;
    },
    enabled: share !== undefined && !first.isFetching,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (share === undefined) return undefined;
  return {
    share,
    exact: exact.isFetching || first.isFetching ? 'running' : exact.isError ? 'failed' : 'stopped',
    error: exact.error,
    retry: () => void exact.refetch(),
  };
}
