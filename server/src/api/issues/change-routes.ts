/** What people do to issues: one, several, or all of a search; and how it is taken back. */
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { type Identity, type Membership, sightIn } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { setFeedbackStatus } from '../../domains/feedback/index.ts';
import * as issues from '../../domains/issues/index.ts';
import type { Deed, Target } from '../../domains/audit/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { things } from '../../base/texts/things.ts';
import { bulk as bulkTexts, changes } from '../../base/texts/issues.ts';
import * as bulkContract from './bulk-contract.ts';
import * as contract from './contract.ts';
import { readFeedbackStatus, toFeedbackDetail } from './feedback.ts';
import { type Api, type Call, implement } from '../shared/implement.ts';
import { leavingOf } from '../shared/leaving.ts';
import { type AskedChange, checkShareLinks, readChange } from './change.ts';
import { createTold, tellableIssue } from './told.ts';
import { issueDetail } from './detail.ts';
import { chooseProjects, issueFilter, reachableProjects } from '../../domains/named-search/index.ts';
import { toBulk, toTombstone } from './bulk-shapes.ts';
import { assigneeShown, categoryOf } from './shapes.ts';
import { statusDetailsShown, statusShown, substatusShown } from './status-shapes.ts';

type ManyQuery = z.output<typeof contract.updateOrganizationIssues.query>;
type ManyUpdate = z.output<typeof contract.updateOrganizationIssues.body>;
type ManyChanged = z.output<typeof contract.updateOrganizationIssues.response>;

interface Caller {
  readonly identity: Identity;
  readonly membership: Membership;
}

/** Who asks, with what the audit log is told of them. */
interface Asking {
  readonly caller: Caller;
  readonly deed: Deed;
}

const onlyOne = ([id, another]: readonly number[]): Target | undefined =>
  id === undefined || another !== undefined ? undefined : { id, name: '' };

/** Of one request that waits for its answer. */
const maxAtOnce = 1_000;

export function issueChangeRoutes(api: Api): void {
  const { deps } = api;
  const { state, bulk } = deps;
  const toldOf = createTold(deps.audit);

  const ownerOf = ({ membership, identity }: Caller) => ({
    organizationId: membership.organizationId,
    userId: identity.userId,
  });

  /** Throws for a person who would see none of them; what some of many cannot be given is left as it is. */
  const checkAssignee = async (
    issueIds: readonly number[],
    { assignee: to }: issues.IssueChange,
    { membership: { organizationId } }: Caller,
  ): Promise<void> => {
    if (to?.kind !== 'user' || !issueIds.length) return;
    const sees = await sightIn(state.db, [organizationId]);
    const rows = await rowsOf(issueIds);
    if (rows.some(({ projectId }) => sees(organizationId, to.id, projectId))) return;
    throw new CodedError('INPUT_INVALID', [changes.assigneeTeam]);
  };

  const change = async (
    issueIds: readonly number[],
    asked: AskedChange,
    { caller, deed }: Asking,
    target?: Target,
  ): Promise<{ undo: { id: string } | null; changed: readonly number[] }> => {
    const nowMs = Date.now();
    const wanted = await readChange(state, asked, caller, nowMs);
    await checkAssignee(issueIds, wanted, caller);
    const { hasSeen, ...undoable } = wanted;
    if (hasSeen !== undefined && !Object.keys(undoable).length) {
      const { userId } = caller.identity;
      await state.transaction((trx) => issues.markSeenIn(trx, { issueIds, userId, nowMs }, hasSeen));
      return { undo: null, changed: [] };
    }
    const { job, changed } = await bulk.change({
      ...ownerOf(caller),
      asked,
      change: wanted,
      issues: issueIds,
      nowMs,
      told: toldOf(deed, wanted, { target: target ?? onlyOne(issueIds) }),
    });
    return { undo: changed.length ? { id: String(job.id) } : null, changed };
  };

  const chosen = async (
    query: ManyQuery,
    projects: readonly Project[],
    { identity }: Caller,
    reply: FastifyReply,
  ): Promise<number[]> => {
    if (query.id.length) return issues.namedIssueIds(state, query.id, projects);
    if (query.query === undefined) {
      throw new CodedError('INPUT_INVALID', [changes.issuesNeeded]);
    }
    const filter = await issueFilter(deps, query, projects, { userId: identity.userId, signal: leavingOf(reply) });
    const ids: number[] = [];
    for await (const part of issues.collectIssues(deps, filter, maxAtOnce)) ids.push(...part);
    return ids;
  };

  /** What is named by its id may be of any project. */
  const projectsOf = (
    { id, query }: { readonly id: readonly string[]; readonly query?: string | undefined },
    names: readonly string[],
    { membership }: Caller,
  ): Promise<Project[]> =>
    id.length ? reachableProjects(state, membership, names) : chooseProjects(state, membership, names, query);

  const updateMany = async (
    query: ManyQuery,
    { merge, mergeInto, ...asked }: ManyUpdate,
    projects: readonly Project[],
    asking: Asking & { readonly reply: FastifyReply },
  ): Promise<ManyChanged> => {
    const { caller, reply } = asking;
    const ids = await chosen(query, projects, caller, reply);
    if (merge) return mergeMany(ids, mergeInto, projects, caller.identity.userId);
    const { undo, changed } = await change(ids, asked, asking);
    const { assignedTo, priority, isBookmarked, isSubscribed, hasSeen, isPublic } = asked;
    const [first] = await rowsOf(ids.slice(0, 1));
    const work = first && (await issues.workOf(state, [first], caller.identity.userId)).get(first.id);
    return {
      ...(asked.status !== undefined && first && statusOf(first, work)),
      ...(assignedTo !== undefined && { assignedTo: assigneeShown(work?.assignee ?? null) }),
      ...(priority !== undefined && first && { priority: first.priority }),
      ...(isBookmarked !== undefined && { isBookmarked }),
      ...(isSubscribed !== undefined && { isSubscribed }),
      ...(hasSeen !== undefined && { hasSeen }),
      ...(isPublic !== undefined && { isPublic, shareId: ids.length === 1 ? (work?.shareId ?? null) : null }),
      issueIds: changed.map(String),
      undo,
    };
  };

  const rowsOf = async (ids: readonly number[]): Promise<issues.IssueRow[]> => [
    ...(await issues.issuesById(state, ids)).values(),
  ];

  const statusOf = (issue: issues.IssueRow, work?: issues.IssueWork) => ({
    status: statusShown(issue.status),
    substatus: substatusShown(issue),
    statusDetails: statusDetailsShown(issue, work?.statusBy ?? null),
  });

  const mergeMany = async (
    issueIds: readonly number[],
    mergeInto: string | undefined,
    projects: readonly Project[],
    userId: string,
  ): Promise<ManyChanged> => {
    const [into] = mergeInto === undefined ? [] : await issues.namedIssueIds(state, [mergeInto], projects);
    const { parent, children } = await issues.mergeIssues(deps, { issueIds, into, userId, nowMs: Date.now() });
    const [kept] = await rowsOf([parent]);
    return {
      ...(kept && statusOf(kept)),
      issueIds: [],
      undo: null,
      merge: { parent: String(parent), children: children.map(String) },
    };
  };

  implement(api, contract.updateOrganizationIssues, async ({ caller, query, body, reply, deed }) =>
    updateMany(query, body, await projectsOf(query, query.project, caller), { caller, reply, deed }),
  );
  implement(api, contract.updateProjectIssues, async ({ caller, query, body, reply, deed }) =>
    updateMany(query, body, [caller.project], { caller, reply, deed }),
  );

  const update = async (
    issue: issues.IssueRow,
    project: Project,
    asked: AskedChange,
    asking: Asking,
  ): Promise<z.output<typeof contract.updateIssue.response>> => {
    const { caller } = asking;
    if (asked.eventLimit && categoryOf(issue) === 'performance') {
      throw new CodedError('INPUT_INVALID', [changes.problemLimit]);
    }
    const { undo } = await change([issue.id], asked, asking, tellableIssue(issue, project));
    const now = asked.discard ? issue : await issues.findIssue(state, String(issue.id), [project]);
    if (!now) throw new CodedError('NOT_FOUND', [things.issue(issue.id)]);
    return { ...(await issueDetail(deps, { issue: now, project, userId: caller.identity.userId })), undo };
  };
  type UpdateCall = Pick<Call<typeof contract.updateIssue>, 'caller' | 'body' | 'deed'>;
  const updateOf = async ({ caller, body, deed }: UpdateCall) => {
    const { project } = caller;
    if (!caller.feedback) return update(caller.issue, project, body, { caller, deed });
    const status = readFeedbackStatus(body);
    const by = { status, userId: caller.identity.userId, nowMs: Date.now() };
    await setFeedbackStatus(state, [project.id], [caller.feedback.id], by);
    return { ...toFeedbackDetail({ ...caller.feedback, status }, { project, baseUrl: deps.getUrl() }), undo: null };
  };
  implement(api, contract.updateIssue, async (call) => updateOf(call));
  implement(api, contract.updateOrganizationIssue, async (call) => updateOf(call));

  const remove = async (ids: readonly number[], asking: Asking, target?: Target) => ({
    undo: (await change(ids, { delete: true }, asking, target)).undo,
  });
  implement(api, bulkContract.deleteIssue, async ({ caller, deed }) =>
    remove([caller.issue.id], { caller, deed }, tellableIssue(caller.issue, caller.project)),
  );
  implement(api, bulkContract.deleteOrganizationIssue, async ({ caller, deed }) =>
    remove([caller.issue.id], { caller, deed }, tellableIssue(caller.issue, caller.project)),
  );
  implement(api, bulkContract.deleteOrganizationIssues, async ({ caller, query, reply, deed }) => {
    const projects = await projectsOf(query, query.project, caller);
    return remove(await chosen(query, projects, caller, reply), { caller, deed });
  });
  implement(api, bulkContract.deleteProjectIssues, async ({ caller, query, reply, deed }) =>
    remove(await chosen(query, [caller.project], caller, reply), { caller, deed }),
  );

  const jobOf = async (caller: Caller, id: string): Promise<issues.BulkJob> => {
    const job = await issues.findJob(state, ownerOf(caller), Number(id));
    if (!job) throw new CodedError('NOT_FOUND', [things.bulkChange(id)]);
    return job;
  };

  implement(api, bulkContract.startBulk, async ({ caller, body, reply, deed }) => {
    const nowMs = Date.now();
    const wanted = await readChange(state, body.change, caller, nowMs);
    const projects = await projectsOf({ ...body, id: body.ids ?? [] }, body.project, caller);
    const asking = { userId: caller.identity.userId, signal: leavingOf(reply) };
    const job = await bulk.start({
      ...ownerOf(caller),
      asked: body.change,
      change: wanted,
      issues: body.ids
        ? await issues.namedIssueIds(state, body.ids, projects)
        : await issueFilter(deps, body, projects, asking),
      nowMs,
      told: toldOf(deed, wanted, { query: body.ids ? undefined : body.query }),
    });
    return toBulk(job, Date.now());
  });

  implement(api, bulkContract.listBulk, async ({ caller }) => {
    const nowMs = Date.now();
    return (await issues.listJobs(state, ownerOf(caller))).map((job) => toBulk(job, nowMs));
  });
  implement(api, bulkContract.getBulk, async ({ caller, params }) =>
    toBulk(await jobOf(caller, params.bulk), Date.now()),
  );
  implement(api, bulkContract.undoBulk, async ({ caller, params, deed }) => {
    const job = await jobOf(caller, params.bulk);
    const { within } = caller.membership;
    // Taking back is a change too, and access to some of the projects may have ended.
    if (within && (await issues.goesBeyond(state, job.id, within.projectIds))) {
      throw new CodedError('UNDO_REFUSED', [bulkTexts.undo.hidden]);
    }
    if (job.change.isPublic === false) checkShareLinks(caller.membership);
    return toBulk(await bulk.undo(job, toldOf(deed, job.change, { isUndo: true })), Date.now());
  });
  implement(api, bulkContract.cancelBulk, async ({ caller, params }) =>
    toBulk(await bulk.cancel(await jobOf(caller, params.bulk)), Date.now()),
  );

  implement(api, bulkContract.listTombstones, async ({ caller: { project } }) =>
    (await issues.listTombstones(state, project.id)).map((one) => toTombstone(one, project)),
  );
  implement(api, bulkContract.deleteTombstone, async ({ caller: { project }, params, recorded }) => {
    const id = Number(params.tombstone);
    const found = (await issues.listTombstones(state, project.id)).find((one) => one.id === id);
    await recorded(async (inside, note) => {
      await issues.removeTombstone(inside, project.id, id);
      note({ id, name: found?.title ?? '', project: project.slug });
    });
  });
}
