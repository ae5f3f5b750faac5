/** Lists of issues, and one issue. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { CodedError } from '../../errors.ts';
import * as issues from '../../issues/index.ts';
import type { Project } from '../../projects/index.ts';
import { listProjects } from '../../projects/index.ts';
import { lastPeriod, parseTimeRange, type TimeRange } from '../../search/index.ts';
import * as parts from '../contract/issue-parts.ts';
import * as contract from '../contract/issues.ts';
import { type Api, implement } from '../implement.ts';
import { linkPages, parseCursor } from '../pagination.ts';
import { issueDetail } from '../issue-detail.ts';
import { issueFilter } from '../issue-search.ts';
import { chooseProjects } from '../scope.ts';
import { permalinkOf, shortIdOf, toIssue, toTagList } from '../shapes/issue.ts';
import { iso } from '../shapes/read.ts';

type ListQuery = z.output<typeof contract.listOrganizationIssues.query>;

/** Longer than any retention. */
const everything = '3650d';

export function issueRoutes(api: Api): void {
  const { deps } = api;
  const { state, events, getUrl } = deps;

  const list = async (
    query: ListQuery,
    projects: readonly Project[],
    request: FastifyRequest,
    reply: FastifyReply,
    userId: string,
  ): Promise<z.output<typeof contract.Issue>[]> => {
    const asked = query.query?.trim() ?? '';
    const named = query.shortIdLookup === '0' ? undefined : await namedIssue(asked, projects);
    const asking = await issueFilter(deps, named ? { ...query, query: `issue.id:${named.id}` } : query, projects, {
      userId,
      signal: request.signal,
    });
    const seriesRange = seriesRangeOf(query, asking);
    // Who names an issue gets it, however long ago it was seen.
    const filter = named ? { ...asking, range: lastPeriod(everything, asking.nowMs) } : asking;
    const { limit } = query;
    const sort = sortOf(query.sort);
    const page = await issues.listIssues(deps, {
      ...filter,
      seriesRange,
      sort,
      limit,
      cursor: parseCursor(query.cursor),
    });
    linkPages(request, reply, getUrl(), page);
    const byId = new Map(projects.map((project) => [project.id, project]));
    const work = await issues.workOf(state, page.rows, userId);
    return page.rows.flatMap((issue) => {
      const project = byId.get(issue.projectId);
      const place = project && { project, baseUrl: getUrl() };
      return place ? [toIssue(issue, place, seriesRange, work.get(issue.id))] : [];
    });
  };

  const namedIssue = async (text: string, projects: readonly Project[]): Promise<issues.IssueRow | undefined> =>
    /^\S+-\d+$/.test(text) && !text.includes(':') ? issues.findIssue(state, text, projects) : undefined;

  implement(api, contract.listOrganizationIssues, async ({ caller, query, request, reply }) =>
    list(query, await chooseProjects(state, caller.membership, query.project), request, reply, caller.identity.userId),
  );

  implement(api, contract.listProjectIssues, async ({ caller, query, request, reply }) =>
    list(query, [caller.project], request, reply, caller.identity.userId),
  );

  implement(api, contract.getIssue, async ({ caller: { issue, project, identity }, params, query }) =>
    issueDetail(deps, {
      issue,
      project,
      environments: query.environment,
      userId: identity.userId,
      asked: params.issue,
    }),
  );
  implement(api, contract.getOrganizationIssue, async ({ caller: { issue, project, identity }, params, query }) =>
    issueDetail(deps, {
      issue,
      project,
      environments: query.environment,
      userId: identity.userId,
      asked: params.issue,
    }),
  );

  const tags = async (issue: issues.IssueRow, query: z.output<typeof parts.listIssueTags.query>) => {
    const found = await issues.tagsOfIssue({ events }, issue, await issues.hashesOf(state, issue.id), {
      environments: query.environment,
      range: parseTimeRange(query, Date.now()),
      keys: query.key,
      sample: 10_000,
      values: query.limit,
    });
    return toTagList(found);
  };
  implement(api, parts.listIssueTags, async ({ caller, query }) => tags(caller.issue, query));
  implement(api, parts.listOrganizationIssueTags, async ({ caller, query }) => tags(caller.issue, query));

  const hashes = async (issue: issues.IssueRow): Promise<z.output<typeof parts.listIssueHashes.response>> =>
    (await issues.issueHashes(deps, issue)).map((one) => ({
      id: one.hash,
      hash: one.hash,
      basis: one.basis,
      version: one.version,
      explanation: one.explanation as parts.GroupingNode[],
      firstEventId: one.firstEventId,
      count: one.count,
      firstSeen: one.firstSeen === null ? null : iso(one.firstSeen),
      lastSeen: one.lastSeen === null ? null : iso(one.lastSeen),
      dateCreated: iso(one.createdAt),
    }));
  implement(api, parts.listIssueHashes, async ({ caller }) => hashes(caller.issue));
  implement(api, parts.listOrganizationIssueHashes, async ({ caller }) => hashes(caller.issue));

  implement(api, parts.getShortId, async ({ caller, params }) => {
    const projects = await listProjects(state, caller.membership.organizationId);
    const issue = /^\d+$/.test(params.shortId) ? undefined : await issues.findIssue(state, params.shortId, projects);
    const project = issue && projects.find((one) => one.id === issue.projectId);
    if (!issue || !project) throw new CodedError('NOT_FOUND', [`issue ${params.shortId}`]);
    const place = { project, baseUrl: getUrl() };
    const shortId = shortIdOf(issue, project);
    return {
      organizationSlug: caller.membership.slug,
      projectSlug: project.slug,
      groupId: String(issue.id),
      shortId,
      group: { id: String(issue.id), shortId, title: issue.title, permalink: permalinkOf(issue, place) },
    };
  });
}

/** What is to be looked at first is what is new, what is recommended what grows. */
const sortOf = (sort: ListQuery['sort']): issues.IssueSort =>
  sort === 'inbox' ? 'new' : sort === 'recommended' ? 'trends' : sort;

function seriesRangeOf(query: ListQuery, filter: issues.IssueFilter): TimeRange {
  const { groupStatsPeriod: period, statsPeriod, start } = query;
  if (period && period !== 'auto') return lastPeriod(period, filter.nowMs);
  const given = Boolean(statsPeriod || start);
  return given || period === 'auto' ? filter.range : lastPeriod('24h', filter.nowMs);
}
