/** Events of issues and projects. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import * as issues from '../../domains/issues/index.ts';
import { seenProjects, type Project } from '../../domains/projects/index.ts';
import { type LinkContext, linkContext } from '../../domains/repositories/index.ts';
import { parseTimeRange } from '../../base/time-range.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { toFeedbackEvent } from './feedback.ts';
import { type Api, type Call, implement } from '../shared/implement.ts';
import { linkPages, parseCursor } from '../shared/pagination.ts';
import { readNamedSearch } from '../../domains/named-search/index.ts';
import { parsePayload, toEvent, toEventSummary } from './shapes.ts';
import { shortIdOf } from '../issues/shapes.ts';

type EventsQuery = z.output<typeof contract.listIssueEvents.query>;
type FilterQuery = Pick<EventsQuery, 'query' | 'environment' | 'statsPeriod' | 'start' | 'end'>;

export function eventRoutes(api: Api): void {
  const { deps } = api;
  const { state, events, getUrl } = deps;

  const scopeOf = async (
    { id: projectId, organizationId }: Project,
    query: FilterQuery,
    hashes?: readonly string[],
  ): Promise<issues.EventScope> => {
    const nowMs = Date.now();
    const names = { organizationId, projectIds: [projectId], environments: query.environment, nowMs };
    return {
      projectId,
      ...(hashes && { hashes }),
      root: await readNamedSearch(deps, query.query ?? '', names),
      environments: query.environment,
      range: parseTimeRange(query, nowMs),
      nowMs,
    };
  };

  const list = async (scope: issues.EventScope, query: EventsQuery, request: FastifyRequest, reply: FastifyReply) => {
    const page = await issues.listEvents({ events }, scope, {
      cursor: parseCursor(query.cursor),
      limit: query.limit,
      oldestFirst: query.sort === 'timestamp',
    });
    linkPages(request, reply, getUrl(), page);
    const owners = await issues.ownersOfHashes(
      state,
      scope.projectId,
      page.rows.map((row) => row.group_hash),
    );
    return page.rows.map((row) => toEventSummary(row, owners.get(row.group_hash)));
  };

  const listOfIssue = async (
    issue: issues.IssueRow,
    project: Project,
    query: EventsQuery,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => list(await scopeOf(project, query, await issues.hashesOf(state, issue.id)), query, request, reply);

  implement(api, contract.listIssueEvents, async ({ caller, query, request, reply }) =>
    listOfIssue(caller.issue, caller.project, query, request, reply),
  );
  implement(api, contract.listOrganizationIssueEvents, async ({ caller, query, request, reply }) =>
    listOfIssue(caller.issue, caller.project, query, request, reply),
  );
  implement(api, contract.listProjectEvents, async ({ caller, query, request, reply }) =>
    list(await scopeOf(caller.project, query), query, request, reply),
  );

  const linksOf = (project: Project, event: issues.StoredEvent): Promise<LinkContext> =>
    linkContext(state, project, event.release);

  const oneOfIssue = async (issue: issues.IssueRow, project: Project, which: string, query: FilterQuery) => {
    const hashes = await issues.hashesOf(state, issue.id);
    const scope = await scopeOf(project, query, hashes);
    if (which === 'latest' || which === 'oldest' || which === 'recommended') {
      const event = await issues.pickEvent({ events }, scope, which);
      if (!event) throw noEvent(which);
      const [place, links] = await Promise.all([issues.placeOf({ events }, scope, event), linksOf(project, event)]);
      return toEvent(event, issue.id, place, links);
    }
    const row = await issues.findRow({ events }, [issue.projectId], which, hashes);
    if (!row) throw noEvent(which);
    return shown(row, issue.id, project, scope);
  };

  const noEvent = (which: string): CodedError => new CodedError('NOT_FOUND', [things.event(which)]);

  /** Its place is looked up while its payload is read. */
  const shown = async (
    row: issues.FoundRow,
    issueId: number | undefined,
    project: Project,
    scope: issues.EventScope,
  ): Promise<ReturnType<typeof toEvent>> => {
    const linked = async () => {
      const event = await issues.wholeEvent({ events }, row);
      return event && { event, links: await linksOf(project, event) };
    };
    const [found, place] = await Promise.all([linked(), issues.placeOf({ events }, scope, row)]);
    if (!found) throw noEvent(row.event_id);
    return toEvent(found.event, issueId, place, found.links);
  };

  type EventCall = Pick<Call<typeof contract.getIssueEvent>, 'caller' | 'params' | 'query'>;
  const eventOf = async ({ caller, params: { event }, query }: EventCall) => {
    if (!caller.feedback) return oneOfIssue(caller.issue, caller.project, event, query);
    const isIt = ['latest', 'oldest', 'recommended', caller.feedback.feedbackId].includes(event);
    if (!isIt) throw noEvent(event);
    return toFeedbackEvent(caller.feedback, { project: caller.project });
  };
  implement(api, contract.getIssueEvent, async (call) => eventOf(call));
  implement(api, contract.getOrganizationIssueEvent, async (call) => eventOf(call));

  const issueIdOf = async (event: issues.EventOwner): Promise<number | undefined> =>
    (await issues.ownersOfHashes(state, event.project_id, [event.group_hash])).get(event.group_hash);

  implement(api, contract.getProjectEvent, async ({ caller, params }) => {
    const row = await issues.findRow({ events }, [caller.project.id], params.event);
    if (!row) throw noEvent(params.event);
    const issueId = await issueIdOf(row);
    const hashes = issueId === undefined ? [row.group_hash] : await issues.hashesOf(state, issueId);
    return shown(row, issueId, caller.project, { projectId: caller.project.id, hashes, nowMs: Date.now() });
  });

  implement(api, contract.getProjectEventJson, async ({ caller, params }) => {
    const payload = await issues.findPayload({ events }, [caller.project.id], params.event);
    if (payload === undefined) throw noEvent(params.event);
    return parsePayload(payload);
  });

  implement(api, contract.getEventId, async ({ caller, params }) => {
    const projects = await seenProjects(state, caller.membership);
    const event = await issues.findOwner(
      { events },
      projects.map((project) => project.id),
      params.event,
    );
    if (!event) throw noEvent(params.event);
    const project = projects.find((one) => one.id === event.project_id);
    const issueId = await issueIdOf(event);
    const issue =
      issueId === undefined || !project ? undefined : await issues.findIssue(state, String(issueId), [project]);
    return {
      organizationSlug: caller.membership.slug,
      projectSlug: project?.slug ?? '',
      groupId: issue ? String(issue.id) : null,
      shortId: issue && project ? shortIdOf(issue, project) : null,
      eventId: event.event_id,
    };
  });
}
