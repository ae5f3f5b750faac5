/** Alert rules, what they told, and what they would have told. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';

export type AlertRule = Schemas['AlertRule'];
export type AlertRuleRequest = Schemas['AlertRuleRequest'];
export type AlertCondition = Schemas['AlertCondition'];
export type AlertMetric = Schemas['AlertMetric'];
export type AlertPreview = Schemas['AlertPreview'];
export type AlertFiring = Schemas['AlertHistoryEntry'];

const rules = '/api/0/organizations/{org}/alert-rules/';
const one = '/api/0/organizations/{org}/alert-rules/{rule}/';
const refreshMs = 30_000;

/** Those in alarm first; asked again by itself, since states change without anybody doing anything. */
export const rulesQuery = (org: string, project: string | undefined) =>
  queryOptions({
    queryKey: ['alerts', org, 'rules', project],
    queryFn: ({ signal }) => api.get(rules, { params: { path: { org }, query: project ? { project } : {} }, signal }),
    staleTime: dynamicStaleTimeMs,
    refetchInterval: refreshMs,
  });

export const ruleQuery = (org: string, rule: string) =>
  queryOptions({
    queryKey: ['alerts', org, 'rule', rule],
    queryFn: ({ signal }) => api.get(one, { params: { path: { org, rule } }, signal }),
    staleTime: dynamicStaleTimeMs,
  });

export const historyQuery = (org: string, rule: string) =>
  queryOptions({
    queryKey: ['alerts', org, 'history', rule],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/alert-rules/{rule}/history/', {
        params: { path: { org, rule }, query: { limit: 50 } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
    refetchInterval: refreshMs,
  });

export const suggestionsQuery = (org: string, project: string | undefined) =>
  queryOptions({
    queryKey: ['alerts', org, 'suggestions', project],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/alert-suggestions/', {
        params: { path: { org }, query: project ? { project } : {} },
        signal,
      }),
  });

export const createRule = (org: string, body: AlertRuleRequest): Promise<AlertRule> =>
  api.post(rules, { params: { path: { org } }, body });

/** Of one kind to the other no rule changes. */
export function changeRule(org: string, rule: string, changes: Partial<AlertRuleRequest>): Promise<AlertRule> {
  const { kind: _, ...body } = changes;
  return api.put(one, { params: { path: { org, rule } }, body });
}

export const deleteRule = (org: string, rule: string): Promise<unknown> =>
  api.delete(one, { params: { path: { org, rule } } });

export type MuteFor = 'everyone' | 'me';

/** `minutes`: null lets it speak again. */
export const muteRule = (
  org: string,
  rule: string,
  mute: { readonly minutes: number | null; readonly for: MuteFor },
): Promise<AlertRule> =>
  api.post('/api/0/organizations/{org}/alert-rules/{rule}/mute/', { params: { path: { org, rule } }, body: mute });

export const beginPreview = (org: string, body: AlertRuleRequest): Promise<AlertPreview> =>
  api.post('/api/0/organizations/{org}/alert-rules/preview/', { params: { path: { org } }, body });

export const readPreview = (org: string, preview: string, signal: AbortSignal): Promise<AlertPreview> =>
  api.get('/api/0/organizations/{org}/alert-rules/preview/{preview}/', { params: { path: { org, preview } }, signal });

export const cancelPreview = (org: string, preview: string): Promise<unknown> =>
  api.delete('/api/0/organizations/{org}/alert-rules/preview/{preview}/', { params: { path: { org, preview } } });
