import type { UseQueryResult } from '@tanstack/react-query';

/** As a query looks from outside, for tests: by default one that is on its way. */
export function queryAs<T>(
  fields: Partial<Pick<UseQueryResult<T>, 'data' | 'error' | 'fetchStatus' | 'dataUpdatedAt' | 'refetch'>> = {},
) {
  return {
    data: undefined as T | undefined,
    error: null as Error | null,
    fetchStatus: 'fetching' as const,
    dataUpdatedAt: 0,
    refetch: () => Promise.reject(new Error('not asked in this test')),
    ...fields,
  };
}
