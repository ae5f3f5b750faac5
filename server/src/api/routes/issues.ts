/** Lists of issues, one issue, changes of status. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { CodedError } from '../../errors.ts';
import * as issues from '../../issues/index.ts';
import type { Project } from '../../projects/index.ts';
import { listProjects } from '../../projects/index.ts';
import { findReleases } from '../../releases/index.ts';
import { lastPeriod, parseTimeRange, type TimeRange } from '../../search/index.ts';
import type { IssueStatus } from '../../state/schema.ts';
import * as parts from '../contract/issue-parts.ts';
import * as contract from '../contract/issues.ts';
import { type Api, implement } from '../implement.ts';
import { linkPages, parseCursor } from '../pagination.ts';
import { chooseProjects, readNamedSearch } from '../scope.ts';
import {
  permalinkOf,
  shortIdOf,
  statusShown,
  substatusShown,
  toIssue,
  toIssueDetail,
  toTagList,
} from '../shapes/issue.ts';
import { iso } from '../shapes/read.ts';

type ListQuery = z.output<typeof contract.listOrganizationIssues.query>;
type BulkQuery = z.output<typeof contract.updateOrganizationIssues.query>;
type Update = z.output<typeof contract.updateIssue.body>;
type BulkUpdate = z.output<typeof contract.updateOrganizationIssues.body>;

const defaultQuery = 'is:unresolved';
const defaultPeriod = '14d';
/** Longer than any retention. */
const everything = '3650d';
const maxBulk = 1_000;

export function issueRoutes(api: Api): void {
  const { deps } = api;
  const { state, events, getUrl } = deps;

  const filterOf = async (
    query: Pick<ListQuery, 'query' | 'environment' | 'statsPeriod' | 'start' | 'end'>,
    projects: readonly Project[],
    request: FastifyRequest,
  ): Promise<issues.IssueFilter> => {
    const nowMs = Date.now();
    const scope = {
      organizationId: projects[0]?.organizationId ?? '',
      projectIds: projects.map((project) => project.id),
      environments: query.environment,
      nowMs,
    };
    return {
      projects,
      environments: query.environment,
      range: parseTimeRange(query, nowMs) ?? lastPeriod(defaultPeriod, nowMs),
      root: await readNamedSearch(deps, query.query ?? defaultQuery, scope),
      nowMs,
      signal: request.signal,
    };
  };

  const list = async (
    query: ListQuery,
    projects: readonly Project[],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<z.output<typeof contract.Issue>[]> => {
    const asked = query.query?.trim() ?? '';
    const named = query.shortIdLookup === '0' ? undefined : await namedIssue(asked, projects);
    const asking = await filterOf(named ? { ...query, query: `issue.id:${named.id}` } : query, projects, request);
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
    return page.rows.flatMap((issue) => {
      const project = byId.get(issue.projectId);
      return project ? [toIssue(issue, { project, baseUrl: getUrl() }, seriesRange)] : [];
    });
  };

  const namedIssue = async (text: string, projects: readonly Project[]): Promise<issues.IssueRow | undefined> =>
    /^\S+-\d+$/.test(text) && !text.includes(':') ? issues.findIssue(state, text, projects) : undefined;

  implement(api, contract.listOrganizationIssues, async ({ caller, query, request, reply }) =>
    list(query, await chooseProjects(state, caller.membership, query.project), request, reply),
  );

  implement(api, contract.listProjectIssues, async ({ caller, query, request, reply }) =>
    list(query, [caller.project], request, reply),
  );

  const change = async (issueIds: readonly number[], update: Update, userId: string): Promise<number[]> =>
    issues.setStatus(deps, { issueIds, status: statusOf(update), userId, nowMs: Date.now() });

  const bulk = async (
    query: BulkQuery,
    { status: wanted, mergeInto }: BulkUpdate,
    projects: readonly Project[],
    userId: string,
    request: FastifyRequest,
  ): Promise<z.output<typeof contract.updateOrganizationIssues.response>> => {
    const ids = query.id.length ? await idsOf(query.id, projects) : await idsByQuery(query, projects, request);
    if (wanted === undefined) return merge(ids, mergeInto, projects, userId);
    const changed = await change(ids, { status: wanted }, userId);
    const status = statusOf({ status: wanted });
    const substatus = issues.substatusOf(status);
    return {
      status: statusShown(status),
      substatus: substatusShown({ status, substatus }),
      statusDetails: {},
      issueIds: changed.map(String),
    };
  };

  const merge = async (
    issueIds: readonly number[],
    mergeInto: string | undefined,
    projects: readonly Project[],
    userId: string,
  ): Promise<z.output<typeof contract.updateOrganizationIssues.response>> => {
    const [into] = mergeInto === undefined ? [] : await idsOf([mergeInto], projects);
    const { parent, children } = await issues.mergeIssues(deps, { issueIds, into, userId, nowMs: Date.now() });
    const kept = (await issues.issuesById(state, [parent])).get(parent);
    return {
      status: statusShown(kept?.status ?? 'unresolved'),
      substatus: kept ? substatusShown(kept) : null,
      statusDetails: {},
      issueIds: [],
      merge: { parent: String(parent), children: children.map(String) },
    };
  };

  const idsOf = async (names: readonly string[], projects: readonly Project[]): Promise<number[]> => {
    const found: number[] = [];
    for (const name of names) {
      const issue = await issues.findIssue(state, name, projects);
      if (!issue) throw new CodedError('NOT_FOUND', [`issue ${name}`]);
      found.push(issue.id);
    }
    return found;
  };

  const idsByQuery = async (
    query: BulkQuery,
    projects: readonly Project[],
    request: FastifyRequest,
  ): Promise<number[]> => {
    if (query.query === undefined)
      throw new CodedError('INPUT_INVALID', ['say which issues: id (repeatable) or query']);
    const filter = await filterOf(query, projects, request);
    const ids: number[] = [];
    for (let cursor: issues.Cursor | undefined, more = true; more && ids.length < maxBulk;) {
      const page = await issues.listIssues(deps, { ...filter, sort: 'date', limit: 100, cursor });
      ids.push(...page.rows.map((issue) => issue.id));
      cursor = page.next;
      more = cursor !== undefined;
    }
    return ids.slice(0, maxBulk);
  };

  implement(api, contract.updateOrganizationIssues, async ({ caller, query, body, request }) =>
    bulk(query, body, await chooseProjects(state, caller.membership, query.project), caller.identity.userId, request),
  );

  implement(api, contract.updateProjectIssues, async ({ caller, query, body, request }) =>
    bulk(query, body, [caller.project], caller.identity.userId, request),
  );

  const detail = async (
    issue: issues.IssueRow,
    project: Project,
    environments: readonly string[],
    asked?: string,
  ): Promise<z.output<typeof contract.IssueDetail>> => {
    const hashes = await issues.hashesOf(state, issue.id);
    const nowMs = Date.now();
    const versions = [issue.firstRelease, issue.lastRelease].filter((version) => version !== null);
    const [totals, lifetime, activity, tags, releases, named] = await Promise.all([
      issues.issueTotals({ events }, issue, hashes, environments, nowMs),
      environments.length ? issues.issueTotals({ events }, issue, hashes, [], nowMs) : undefined,
      issues.activityOf(state, issue.id),
      issues.tagKeysOfIssue({ events }, issue, hashes),
      findReleases(state, project.organizationId, versions),
      asked === undefined ? undefined : issues.findExactly(state.db, asked, project),
    ]);
    return toIssueDetail(
      issue,
      { project, baseUrl: getUrl() },
      {
        totals,
        lifetime: lifetime ?? totals,
        activity,
        tags,
        hashCount: hashes.length,
        releases,
        mergedFrom: named?.isMerged
          ? { id: String(named.id), shortId: shortIdOf(named, project), title: named.title }
          : undefined,
      },
    );
  };

  const update = async (issue: issues.IssueRow, project: Project, body: Update, userId: string) => {
    await change([issue.id], body, userId);
    const now = await issues.findIssue(state, String(issue.id), [project]);
    if (!now) throw new CodedError('NOT_FOUND', [`issue ${issue.id}`]);
    return detail(now, project, []);
  };

  implement(api, contract.getIssue, async ({ caller: { issue, project }, params, query }) =>
    detail(issue, project, query.environment, params.issue),
  );
  implement(api, contract.getOrganizationIssue, async ({ caller: { issue, project }, params, query }) =>
    detail(issue, project, query.environment, params.issue),
  );
  implement(api, contract.updateIssue, async ({ caller: { issue, project, identity }, body }) =>
    update(issue, project, body, identity.userId),
  );
  implement(api, contract.updateOrganizationIssue, async ({ caller: { issue, project, identity }, body }) =>
    update(issue, project, body, identity.userId),
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

const statusOf = ({ status }: Update): IssueStatus => (status === 'ignored' ? 'archived' : status);

function seriesRangeOf(query: ListQuery, filter: issues.IssueFilter): TimeRange {
  const { groupStatsPeriod: period, statsPeriod, start } = query;
  if (period && period !== 'auto') return lastPeriod(period, filter.nowMs);
  const given = Boolean(statsPeriod || start);
  return given || period === 'auto' ? filter.range : lastPeriod('24h', filter.nowMs);
}
