/** Exports of an answer. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';
import { questionBody } from './request.ts';
import type { ExploreSearch } from './search.ts';

export type DataExport = Schemas['DataExport'];

export const startExport = (org: string, format: DataExport['format'], search: ExploreSearch) =>
  api.post('/api/0/organizations/{org}/data-export/', {
    params: { path: { org } },
    body: { format, question: questionBody(search) },
  });

export const isUnderWay = ({ status }: DataExport): boolean => status === 'waiting' || status === 'running';

const pollMs = 700;

export const exportQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: ['explore', org, 'export', id],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/data-export/{export}/', {
        params: { path: { org, export: id } },
        signal,
      }),
    refetchInterval: ({ state: { data } }) => (data && !isUnderWay(data) ? false : pollMs),
    staleTime: dynamicStaleTimeMs,
  });

export const cancelExport = (org: string, id: string) =>
  api.delete('/api/0/organizations/{org}/data-export/{export}/', { params: { path: { org, export: id } } });

/** Where the browser gets the file. */
export const downloadPath = (org: string, id: string): string =>
  `/api/0/organizations/${encodeURIComponent(org)}/data-export/${encodeURIComponent(id)}/?download=true`;
