/** The audit log. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { parseLinkHeader } from '../../api/link-header.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';

export type AuditEntry = Schemas['AuditEntry'];
export type AuditLog = Schemas['AuditLog'];

export interface AuditFilters {
  /** An action, or the noun of several. */
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly target?: string | undefined;
  readonly address?: string | undefined;
  readonly range?: '24h' | '7d' | '30d' | '90d' | undefined;
}

export interface AuditSearch extends AuditFilters {
  readonly cursor?: string | undefined;
}

const parametersOf = ({ action, actor, target, address, range }: AuditFilters) => ({
  ...(action && { action: [action] }),
  ...(actor && { actor }),
  ...(target && { target }),
  ...(address && { address }),
  ...(range && { statsPeriod: range }),
});

export const auditQuery = (org: string, search: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', org, 'list', search],
    queryFn: async ({ signal }) => {
      const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/audit-log/', {
        params: {
          path: { org },
          query: { ...parametersOf(search), ...(search.cursor && { cursor: search.cursor }) },
        },
        signal,
      });
      return { entries: data, ...parseLinkHeader(response.headers.get('link')) };
    },
    staleTime: dynamicStaleTimeMs,
    placeholderData: (before) => before,
  });

export const auditLogQuery = (org: string) =>
  queryOptions({
    queryKey: ['audit', org, 'log'],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/audit-log/settings/', { params: { path: { org } }, signal }),
    staleTime: dynamicStaleTimeMs,
  });

export const updateAuditLog = (org: string, body: Schemas['AuditLogUpdate']): Promise<AuditLog> =>
  api.put('/api/0/organizations/{org}/audit-log/settings/', { params: { path: { org } }, body });

export function exportPath(org: string, filters: AuditFilters, format: 'jsonl' | 'csv'): string {
  const { action, ...more } = parametersOf(filters);
  const query = new URLSearchParams({ ...more, ...(action && { action: action[0] }), format });
  return `/api/0/organizations/${encodeURIComponent(org)}/audit-log/export/?${query.toString()}`;
}
