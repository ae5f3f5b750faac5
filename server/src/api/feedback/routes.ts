/** What users say of an application. */
import { CodedError } from '../../base/errors.ts';
import * as said from '../../domains/feedback/index.ts';
import { attachmentsOf } from '../../domains/attachments/index.ts';
import { issuesById } from '../../domains/issues/index.ts';
import { type Project, refuseHeld, seenProjects, type Viewer } from '../../domains/projects/index.ts';
import { chooseProjects, reachableProjects } from '../../domains/named-search/index.ts';
import { exactTimeRange } from '../../base/time-range.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, type Call, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { type FeedbackPlace, toAttachment, toFeedback, toUserReport } from './shapes.ts';

const toId = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : -1);

export function feedbackRoutes(api: Api): void {
  const { state, events, getUrl } = api.deps;

  const places = async (
    rows: readonly said.Feedback[],
    projects: readonly Project[],
  ): Promise<{ report: said.Feedback; place: FeedbackPlace }[]> => {
    const issues = await issuesById(
      state,
      rows.flatMap(({ issueId }) => issueId ?? []),
    );
    return rows.flatMap((report) => {
      const project = projects.find(({ id }) => id === report.projectId);
      return project
        ? [
            {
              report,
              place: { project, issue: report.issueId === undefined ? undefined : issues.get(report.issueId) },
            },
          ]
        : [];
    });
  };

  const idsOf = (projects: readonly Project[]): number[] => projects.map(({ id }) => id);

  implement(api, contract.listFeedback, async ({ caller, query, request, reply }) => {
    const nowMs = Date.now();
    const choose = query.issue === undefined ? chooseProjects : reachableProjects;
    const projects = await choose(state, caller.membership, query.project);
    const cursor = parseCursor(query.cursor);
    const range = exactTimeRange(query, nowMs);
    const asked: said.FeedbackRequest = {
      projectIds: idsOf(projects),
      environments: query.environment,
      status: query.status === 'all' ? undefined : query.status,
      text: query.query,
      issueId: query.issue === undefined ? undefined : toId(query.issue),
      fromMs: range?.startMs,
      untilMs: range && !range.open ? range.endMs : undefined,
      offset: cursor?.offset ?? 0,
      limit: query.limit,
    };
    const [rows, counts] = await Promise.all([said.listFeedback(state, asked), said.countFeedback(state, asked)]);
    const page = pageOf(rows, cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    const feedback = (await places(page.rows, projects)).map(({ report, place }) => toFeedback(report, place));
    return { feedback, counts };
  });

  const find = async (viewer: Viewer, id: string) => {
    const projects = await seenProjects(state, viewer);
    const found = await said.findFeedback(state, idsOf(projects), toId(id));
    const [one] = found ? await places([found], projects) : [];
    if (!one) throw new CodedError('NOT_FOUND', [things.feedback(id)]);
    return one;
  };

  implement(api, contract.getFeedback, async ({ caller, params }) => {
    const { report, place } = await find(caller.membership, params.feedback);
    const attachments = await attachmentsOf(events, report.projectId, report.feedbackId);
    return { ...toFeedback(report, place), attachments: attachments.map((one) => toAttachment(one)) };
  });

  implement(api, contract.updateFeedback, async ({ caller, body }) => {
    const projects = await seenProjects(state, caller.membership);
    const ids = body.ids.map(toId);
    const changed = await said.setFeedbackStatus(state, idsOf(projects), ids, {
      status: body.status,
      userId: caller.identity.userId,
      nowMs: Date.now(),
    });
    return changed.map(({ id, before }) => ({ id: String(id), before }));
  });

  implement(api, contract.deleteFeedback, async ({ caller, params, recorded }) => {
    const { report, place } = await find(caller.membership, params.feedback);
    await refuseHeld(state, [report.projectId]);
    await recorded(async (inside, note) => {
      await said.deleteFeedback(inside, [report.projectId], report.id);
      note({ id: report.id, name: report.feedbackId, project: place.project.slug });
    });
  });

  const reports = async (
    asked: Pick<said.FeedbackRequest, 'projectIds' | 'issueId'>,
    projects: readonly Project[],
    limit: number,
    offset: number,
  ) => {
    const rows = await said.listFeedback(state, { ...asked, environments: [], text: '', offset, limit });
    return { rows, shown: await places(rows.slice(0, limit), projects) };
  };

  implement(api, contract.listUserReports, async ({ caller: { project }, query, request, reply }) => {
    const cursor = parseCursor(query.cursor);
    const asked = { projectIds: [project.id] };
    const { rows, shown } = await reports(asked, [project], query.limit, cursor?.offset ?? 0);
    linkPages(request, reply, getUrl(), pageOf(rows, cursor, query.limit));
    return shown.map(({ report, place }) => toUserReport(report, place));
  });

  type IssueReportsCall = Pick<Call<typeof contract.listIssueUserReports>, 'caller' | 'query' | 'request' | 'reply'>;
  const issueReports = async ({ caller: { project, issue }, query, request, reply }: IssueReportsCall) => {
    const cursor = parseCursor(query.cursor);
    const limit = query.per_page ?? query.limit;
    const asked = { projectIds: [project.id], issueId: issue.id };
    const { rows, shown } = await reports(asked, [project], limit, cursor?.offset ?? 0);
    linkPages(request, reply, getUrl(), pageOf(rows, cursor, limit));
    return shown.map(({ report, place }) => toUserReport(report, place));
  };
  implement(api, contract.listIssueUserReports, async (call) => issueReports(call));
  implement(api, contract.listOrganizationIssueUserReports, async (call) => issueReports(call));
}
