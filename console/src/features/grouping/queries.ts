/** How issues are grouped, merged and told apart; what other rules would do. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { dynamicStaleTimeMs, staticStaleTimeMs } from '../freshness.ts';

export type GroupingInfo = Schemas['GroupingInfo'];
export type IssueHash = Schemas['IssueHash'];
export type IssueMerge = Schemas['IssueMerge'];
export type SimilarIssue = Schemas['SimilarIssue'];
export type SuggestedRule = Schemas['SuggestedRule'];

const one = (org: string, issue: string, what: string) => ['issues', org, 'one', issue, what] as const;

export const groupingInfoQuery = (org: string, project: string, event: string) =>
  queryOptions({
    queryKey: ['events', org, project, event, 'grouping'],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/events/{event}/grouping-info/', {
        params: { path: { org, project, event } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

export const mergesQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: one(org, issue, 'merges'),
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/issues/{issue}/merges/', { params: { path: { org, issue } }, signal }),
    staleTime: dynamicStaleTimeMs,
  });

export const similarIssuesQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: one(org, issue, 'similar'),
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/issues/{issue}/similar/', { params: { path: { org, issue } }, signal }),
    staleTime: dynamicStaleTimeMs,
  });

export const suggestedRuleQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: one(org, issue, 'suggested-rule'),
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/issues/{issue}/suggested-rule/', {
        params: { path: { org, issue } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

/** `issues` may hold `into`; answers the ids of what was merged into it. */
export async function mergeIssues(org: string, issues: readonly string[], into: string): Promise<readonly string[]> {
  const changed = await api.put('/api/0/organizations/{org}/issues/', {
    params: { path: { org }, query: { id: [...issues] } },
    body: { merge: true, mergeInto: into },
  });
  return changed.merge?.children ?? [];
}

/** `children`: ids or short ids of issues that were merged into `issue`. */
export function takeBackMerges(org: string, issue: string, children: readonly string[]) {
  return api.delete('/api/0/organizations/{org}/issues/{issue}/merges/', {
    params: { path: { org, issue }, query: { id: [...children] } },
  });
}

/** Answers the new issue that has the hashes now. */
export async function moveOutHashes(
  org: string,
  issue: string,
  hashes: readonly string[],
): Promise<Schemas['IssueRef']> {
  const moved = await api.delete('/api/0/organizations/{org}/issues/{issue}/hashes/', {
    params: { path: { org, issue }, query: { id: [...hashes] } },
  });
  return moved.issue;
}

/** Says that two issues are not the same, or takes that back. */
export function setNotTheSame(org: string, issue: string, other: string, notTheSame: boolean): Promise<unknown> {
  const params = { path: { org, issue, other } };
  const path = '/api/0/organizations/{org}/issues/{issue}/similar/{other}/dismissal/';
  return notTheSame ? api.post(path, { params }) : api.delete(path, { params });
}

/** Rules and version as an editor has them. */
export interface GroupingRules {
  readonly fingerprintingRules: string;
  readonly groupingEnhancements: string;
  readonly groupingConfig: string;
}

export type RuleProblems = Schemas['GroupingRulesChecked']['problems'];
export type Preview = Schemas['GroupingPreview'];
export type PreviewResult = Schemas['GroupingPreviewResult'];

const project = (org: string, slug: string) => ({ path: { org, project: slug } });

/** What cannot be read in the rules. */
export const ruleProblemsQuery = (
  org: string,
  slug: string,
  rules: Pick<GroupingRules, 'fingerprintingRules' | 'groupingEnhancements'>,
) =>
  queryOptions({
    queryKey: ['rule-problems', org, slug, rules.fingerprintingRules, rules.groupingEnhancements],
    queryFn: async ({ signal }): Promise<RuleProblems> => {
      const { fingerprintingRules, groupingEnhancements } = rules;
      const checked = await api.post('/api/0/projects/{org}/{project}/grouping/check/', {
        params: project(org, slug),
        body: { fingerprintingRules, groupingEnhancements },
        signal,
      });
      return checked.problems;
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });

export function startPreview(org: string, slug: string, rules: GroupingRules, statsPeriod: string): Promise<Preview> {
  return api.post('/api/0/projects/{org}/{project}/grouping/preview/', {
    params: project(org, slug),
    body: { ...rules, statsPeriod },
  });
}

export function getPreview(org: string, slug: string, preview: string, signal: AbortSignal): Promise<Preview> {
  return api.get('/api/0/projects/{org}/{project}/grouping/preview/{preview}/', {
    params: { path: { org, project: slug, preview } },
    signal,
  });
}

export function cancelPreview(org: string, slug: string, preview: string): Promise<unknown> {
  return api.delete('/api/0/projects/{org}/{project}/grouping/preview/{preview}/', {
    params: { path: { org, project: slug, preview } },
  });
}

export const groupingVersionsQuery = (org: string) =>
  queryOptions({
    queryKey: ['grouping-versions', org],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/grouping-configs/', { params: { path: { org } }, signal }),
    staleTime: staticStaleTimeMs,
  });
