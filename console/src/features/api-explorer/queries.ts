import { queryOptions } from '@tanstack/react-query';
import { connectionError, toApiError } from '../../api/errors.ts';
import { staticStaleTimeMs } from '../freshness.ts';
import { type Document, operationsOf } from './document.ts';

export const documentAddress = '/api/0/openapi.json';

/** It describes itself no more than it describes the sign-in, so it is asked for beside the typed calls. */
export const operationsQuery = () =>
  queryOptions({
    queryKey: ['api-explorer'],
    queryFn: async ({ signal }) => {
      const response = await fetch(documentAddress, { signal }).catch((error: unknown) => {
        throw connectionError(error);
      });
      if (!response.ok) throw toApiError(response.status, undefined, response.headers);
      return operationsOf((await response.json()) as Document);
    },
    staleTime: staticStaleTimeMs,
  });
