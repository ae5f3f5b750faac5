/** Lists of issues, and one issue. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import * as feedback from '../../domains/feedback/index.ts';
import * as issues from '../../domains/issues/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { seenProjects } from '../../domains/projects/index.ts';
import { chooseProjects, issueFilter, reachableProjects, readNamedSearch } from '../../domains/named-search/index.ts';
import { byDays, exactTimeRange, lastPeriod, parseTimeRange, type TimeRange } from '../../base/time-range.ts';
import { things } from '../../base/texts/things.ts';
import { type FeedbackSearch, readFeedbackSearch, toFeedbackDetail, toFeedbackIssue } from './feedback.ts';
import * as parts from './parts-contract.ts';
import * as contract from './contract.ts';
import { type Api, type Call, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { issueDetail } from './detail.ts';
import { toActivity, toIssue, toTagList, toTagValue } from './shapes.ts';
import { iso } from '../shared/read.ts';

type ListQuery = z.output<typeof contract.listOrganizationIssues.query>;

/** Longer than any retention. */
const everything = '3650d';
/** Of which the values of a tag are counted. */
const mostEvents = 1_000_000;

export function issueRoutes(api: Api): void {
  const { deps } = api;
  const { state, events, known, getUrl } = deps;

  const issueOfEvent = async (eventId: string, projects: readonly Project[]) => {
    const ids = projects.map(({ id }) => id);
    const event = await issues.findOwner({ events }, ids, eventId.toLowerCase());
    if (!event) return undefined;
    const owners = await issues.ownersOfHashes(state, event.project_id, [event.group_hash]);
    const issueId = owners.get(event.group_hash);
    return issueId === undefined ? undefined : issues.findIssue(state, String(issueId), projects);
  };

  const listFeedback = async (
    query: ListQuery,
    { status, words, projects: slugs }: FeedbackSearch,
    chosen: readonly Project[],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<z.output<typeof contract.Issue>[]> => {
    const projects = chosen.filter(({ slug }) => !slugs.length || slugs.includes(slug));
    const range = exactTimeRange(query, Date.now());
    const cursor = parseCursor(query.cursor);
    const { limit } = query;
    const rows = await feedback.listFeedback(state, {
      projectIds: projects.map(({ id }) => id),
      environments: query.environment,
      status,
      text: words,
      fromMs: range?.startMs,
      untilMs: range && !range.open ? range.endMs : undefined,
      offset: cursor?.offset ?? 0,
      limit,
    });
    const page = pageOf(rows, cursor, limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.flatMap((one) => {
      const project = projects.find(({ id }) => id === one.projectId);
      return project ? [toFeedbackIssue(one, { project, baseUrl: getUrl() })] : [];
    });
  };

  const list = async (
    query: ListQuery,
    choose: (isNamed: boolean) => Promise<readonly Project[]>,
    request: FastifyRequest,
    reply: FastifyReply,
    userId: string,
  ): Promise<z.output<typeof contract.Issue>[]> => {
    const asked = query.query?.trim() ?? '';
    const said = readFeedbackSearch(asked);
    if (said) return listFeedback(query, said, await choose(false), request, reply);
    // Who names an issue gets it from whichever project.
    const isName = query.shortIdLookup !== '0' && /^\S+-\d+$/.test(asked) && !asked.includes(':');
    const isEvent = /^[0-9a-f]{32}$/i.test(asked);
    const reachable = isName || isEvent ? await choose(true) : [];
    const named = isName
      ? await issues.findIssue(state, asked, reachable)
      : isEvent
        ? await issueOfEvent(asked, reachable)
        : undefined;
    const projects = named ? reachable : await choose(false);
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

  implement(api, contract.listOrganizationIssues, async ({ caller, query, request, reply }) =>
    list(
      query,
      (isNamed) =>
        isNamed
          ? reachableProjects(state, caller.membership, query.project)
          : chooseProjects(state, caller.membership, query.project, query.query),
      request,
      reply,
      caller.identity.userId,
    ),
  );

  implement(api, contract.listProjectIssues, async ({ caller, query, request, reply }) =>
    list(query, async () => [caller.project], request, reply, caller.identity.userId),
  );

  const detail = async ({
    caller,
    params,
    query,
    reply,
  }: Pick<Call<typeof contract.getIssue>, 'caller' | 'params' | 'query' | 'reply'>): Promise<
    z.output<typeof contract.getIssue.response>
  > => {
    const { project, identity } = caller;
    if (caller.feedback) return toFeedbackDetail(caller.feedback, { project, baseUrl: getUrl() });
    const { issue } = caller;
    const { environment: environments, collapse } = query;
    const found = await issueDetail(deps, {
      issue,
      project,
      environments,
      withoutTags: collapse.includes('tags'),
      userId: identity.userId,
      asked: params.issue,
    });
    // The page asks again with each event, whose texts come from anybody: its length must not tell the link.
    if (found.shareId !== null) void reply.header('cache-control', 'no-store, no-transform');
    return found;
  };
  implement(api, contract.getIssue, async (call) => detail(call));
  implement(api, contract.getOrganizationIssue, async (call) => detail(call));

  type TagsQuery = z.output<typeof parts.getIssueTag.query> & { readonly key?: string[] };

  type OfProject = Pick<Call<typeof parts.listIssueTags>['caller'], 'issue' | 'project'>;

  const tags = async ({ issue, project }: OfProject, query: TagsQuery) => {
    const owning = { issue, hashes: await issues.hashesOf(state, issue.id) };
    const range = parseTimeRange(query, Date.now());
    const found = await issues.knownTagsOfIssue({ state, events, known }, owning, {
      environments: query.environment,
      range,
      ...(query.key && { keys: query.key }),
      wasSampled: (project.sampledUntil ?? -1) >= (range?.startMs ?? 0),
      standAlone: project.sampledUntil === null && project.limitedAt === null,
      sample: 10_000,
      values: query.limit,
    });
    return toTagList(found);
  };
  implement(api, parts.listIssueTags, async ({ caller, query }) => tags(caller, query));
  implement(api, parts.listOrganizationIssueTags, async ({ caller, query }) => tags(caller, query));

  const oneTag = async (
    caller: OfProject,
    query: TagsQuery,
    key: string,
  ): Promise<z.output<typeof parts.getIssueTag.response>> => {
    const [found] = await tags(caller, { ...query, key: [key] });
    if (!found) throw new CodedError('NOT_FOUND', [things.tag(key)]);
    return { ...found, topValues: found.topValues.map((value) => ({ key, ...value })) };
  };
  implement(api, parts.getIssueTag, async ({ caller, query, params }) => oneTag(caller, query, params.key));
  implement(api, parts.getOrganizationIssueTag, async ({ caller, query, params }) => oneTag(caller, query, params.key));

  type TagValuesCall = Pick<Call<typeof parts.listIssueTagValues>, 'caller' | 'params' | 'query' | 'request' | 'reply'>;
  const tagValues = async ({ caller: { issue, project }, params: { key }, query, request, reply }: TagValuesCall) => {
    const nowMs = Date.now();
    const { environment: environments } = query;
    const projectIds = [issue.projectId];
    const { organizationId } = project;
    const scope = {
      projectId: issue.projectId,
      hashes: await issues.hashesOf(state, issue.id),
      root: await readNamedSearch(deps, query.query ?? '', { organizationId, projectIds, environments, nowMs }),
      environments,
      range: parseTimeRange(query, nowMs),
      nowMs,
    };
    const { sort, limit } = query;
    const cursor = parseCursor(query.cursor);
    const page = await issues.tagValuesOfIssue({ events }, scope, { key, sort, cursor, limit, sample: mostEvents });
    linkPages(request, reply, getUrl(), page);
    void reply.header('x-hits', page.values);
    if (page.sampled) void reply.header('x-sampled-events', mostEvents);
    return page.rows.map((row) => toTagValue(row, key, page.total));
  };
  implement(api, parts.listIssueTagValues, async (call) => tagValues(call));
  implement(api, parts.listOrganizationIssueTagValues, async (call) => tagValues(call));

  const hashes = async (
    issue: issues.IssueRow,
    project: Project,
  ): Promise<z.output<typeof parts.listIssueHashes.response>> => {
    const found = await issues.issueHashes(deps, issue);
    const estimates = await issues.estimatesOfHashes(
      state,
      project,
      found.map(({ hash, count }) => ({ key: hash, hashes: [hash], count })),
    );
    return found.map((one) => ({
      id: one.hash,
      hash: one.hash,
      basis: one.basis,
      version: one.version,
      explanation: one.explanation as parts.GroupingNode[],
      firstEventId: one.firstEventId,
      count: one.count,
      estimated: estimates.get(one.hash) ?? null,
      firstSeen: one.firstSeen === null ? null : iso(one.firstSeen),
      lastSeen: one.lastSeen === null ? null : iso(one.lastSeen),
      dateCreated: iso(one.createdAt),
    }));
  };
  implement(api, parts.listIssueHashes, async ({ caller }) => hashes(caller.issue, caller.project));
  implement(api, parts.listOrganizationIssueHashes, async ({ caller }) => hashes(caller.issue, caller.project));

  const activities = async (issue: issues.IssueRow): Promise<z.output<typeof parts.listIssueActivities.response>> => ({
    activity: (await issues.activityOf(state, issue.id)).map((entry) => toActivity(entry, issue)),
  });
  implement(api, parts.listIssueActivities, async ({ caller }) => activities(caller.issue));
  implement(api, parts.listOrganizationIssueActivities, async ({ caller }) => activities(caller.issue));

  implement(api, parts.listExternalIssues, async () => []);
  implement(api, parts.listOrganizationExternalIssues, async () => []);

  implement(api, parts.getShortId, async ({ caller, params }) => {
    const projects = await seenProjects(state, caller.membership);
    const named = feedback.feedbackNamed(params.shortId);
    const said = named?.prefix === undefined ? undefined : await feedback.findNamedFeedback(state, projects, named);
    const about = projects.find((one) => one.id === said?.projectId);
    if (said && about) {
      const group = toFeedbackDetail(said, { project: about, baseUrl: getUrl() });
      const { id: groupId, shortId } = group;
      return { organizationSlug: caller.membership.slug, projectSlug: about.slug, groupId, shortId, group };
    }
    const issue = /^\d+$/.test(params.shortId) ? undefined : await issues.findIssue(state, params.shortId, projects);
    const project = issue && projects.find((one) => one.id === issue.projectId);
    if (!issue || !project) throw new CodedError('NOT_FOUND', [things.issue(params.shortId)]);
    // Clients show it as it stands there, without asking for the issue again.
    const group = await issueDetail(deps, { issue, project, userId: caller.identity.userId, asked: params.shortId });
    return {
      organizationSlug: caller.membership.slug,
      projectSlug: project.slug,
      groupId: String(issue.id),
      shortId: group.shortId,
      group,
    };
  });
}

/** What is to be looked at first is what is new, what is recommended what grows. */
const sortOf = (sort: ListQuery['sort']): issues.IssueSort =>
  sort === 'inbox' ? 'new' : sort === 'recommended' ? 'trends' : sort;

function seriesRangeOf(query: ListQuery, filter: issues.IssueFilter): TimeRange {
  const { groupStatsPeriod: period, statsPeriod, start } = query;
  if (period && period !== 'auto') return byDays(lastPeriod(period, filter.nowMs));
  const hasRange = Boolean(statsPeriod || start);
  return hasRange || period === 'auto' ? byDays(filter.range) : lastPeriod('24h', filter.nowMs);
}
