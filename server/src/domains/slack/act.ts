/** What a press comes to: who it is, whether they may, the change, and what is said in Slack afterwards. */
import type { State } from '../../ports/state/state.ts';
import { slack as texts } from '../../base/texts/slack.ts';
import { type Membership, sightIn, type Vouched } from '../accounts/index.ts';
import type { Audit, Source } from '../audit/index.ts';
import { type Bulk, findIssue, type IssueChange, type IssueRow, readChange, workOf } from '../issues/index.ts';
import {
  linkedIn,
  type Notification,
  slackAppMessage,
  type SlackAction,
  type SlackIssueState,
  type SlackMessage,
  toldBy,
} from '../notify/index.ts';
import { type Project, seenProjects } from '../projects/index.ts';
import type { SlackTools } from './api.ts';
import type { OpenedApp } from './app.ts';
import { personOf } from './people.ts';
import type { Press } from './press.ts';

export interface ActDeps {
  readonly state: State;
  readonly bulk: Pick<Bulk, 'change'>;
  readonly audit: Pick<Audit, 'record'>;
  readonly tools: SlackTools;
  /** Of the console, without a trailing slash. */
  readonly getUrl: () => string;
}

/** The message as it is now, or a sentence for who pressed alone. */
export type Outcome = { readonly message: SlackMessage } | { readonly said: string };

/** Throws `CodedError` where Slack cannot be asked, and for what cannot be done. */
export async function act(deps: ActDeps, app: OpenedApp, press: Press, source: Source): Promise<Outcome> {
  const { state, tools } = deps;
  const from = source.address ?? '';
  const person = await personOf(state, app, { slackUserId: press.userId, from }, tools);
  if ('why' in person) return { said: person.why };
  const { user, membership } = person;
  if (membership.unmet) return { said: texts.closed(membership.name) };
  if (press.action === 'check') return { said: texts.works(user.name, user.email) };
  const found = await issueOf(state, membership, press.reference.issueId);
  if (!found) return { said: texts.noIssue };
  if (!membership.scopes.includes('event:write')) return { said: texts.viewer };
  const assignee = press.action === 'assign' ? await chosen(deps, app, press, { from, found }) : user.id;
  if (typeof assignee !== 'string') return { said: assignee.why };
  const changed = await change(deps, { app, person, press, source, found, assignee });
  return { message: await messageNow(deps, app, press, { membership, by: changed ? user.name : '' }) };
}

interface Found {
  readonly issue: IssueRow;
  readonly project: Project;
}

/** What is not seen is not there. */
async function issueOf(state: State, membership: Membership, issueId: number): Promise<Found | undefined> {
  const projects = await seenProjects(state, membership);
  const issue = await findIssue(state, String(issueId), projects);
  const project = issue && projects.find(({ id }) => id === issue.projectId);
  return issue && project && { issue, project };
}

async function chosen(
  { state, tools }: ActDeps,
  app: OpenedApp,
  { selectedUserId = '' }: Press,
  { from, found: { issue } }: { readonly from: string; readonly found: Found },
): Promise<string | { readonly why: string }> {
  const { organizationId } = app;
  const other = await personOf(state, app, { slackUserId: selectedUserId, from }, tools);
  if ('why' in other) return { why: texts.otherNoMember };
  const sees = await sightIn(state.db, [organizationId]);
  return sees(organizationId, other.user.id, issue.projectId) ? other.user.id : { why: texts.otherNoAccess };
}

/** Whether a press asks for what is so. */
function isSo(action: SlackAction, { status, assigneeUserId, assigneeTeamId }: IssueRow, assignee: string): boolean {
  switch (action) {
    case 'resolve':
      return status === 'resolved';
    case 'archive':
      return status === 'archived';
    case 'assign':
    case 'assign_me':
      return assigneeUserId === assignee;
    case 'unassign':
      return assigneeUserId === null && assigneeTeamId === null;
    case 'unresolve':
    case 'unarchive':
    case 'check':
      return status === 'unresolved';
  }
}

const asked = (action: SlackAction, assignee: string): Parameters<typeof readChange>[1] => {
  switch (action) {
    case 'resolve':
      return { status: 'resolved' };
    case 'archive':
      return { status: 'archived', substatus: 'archived_until_escalating' };
    case 'assign':
    case 'assign_me':
      return { assignedTo: `user:${assignee}` };
    case 'unassign':
      return { assignedTo: null };
    case 'unresolve':
    case 'unarchive':
    case 'check':
      return { status: 'unresolved' };
  }
};

interface Doing {
  readonly app: OpenedApp;
  readonly person: Vouched;
  readonly press: Press;
  readonly source: Source;
  readonly found: Found;
  /** Id of the member who gets it, where one does. */
  readonly assignee: string;
}

/** False where it was so before. */
async function change(
  { state, bulk, audit }: ActDeps,
  { app, person: { user, membership }, press: { action, userId }, source, found: { issue, project }, assignee }: Doing,
): Promise<boolean> {
  if (isSo(action, issue, assignee)) return false;
  const nowMs = Date.now();
  const owner = { organizationId: membership.organizationId, userId: user.id };
  const wanted = asked(action, assignee);
  const wantedChange: IssueChange = await readChange(state, wanted, owner, nowMs);
  const name = `${project.shortIdPrefix}-${issue.number}`;
  const { changed } = await bulk.change({
    ...owner,
    asked: wanted,
    change: wantedChange,
    issues: [issue.id],
    nowMs,
    told: async (trx) =>
      audit.record(trx, [
        {
          organizationId: owner.organizationId,
          actor: { type: 'user', id: user.id, name: user.name, email: user.email },
          source,
          action: 'issue.change_by_slack',
          target: { id: issue.id, name, project: project.slug },
          details: { change: action, slackUser: userId, workspace: app.teamName },
        },
      ]),
  });
  return changed.length > 0;
}

/** As the delivery told it, with how the issue is by now; made of the issue where the log has forgotten the delivery. */
async function messageNow(
  { state, getUrl }: ActDeps,
  { organizationId }: OpenedApp,
  { action, reference }: Press,
  { membership, by }: { readonly membership: Membership; readonly by: string },
): Promise<SlackMessage> {
  const nowMs = Date.now();
  const place = { organizationId, consoleUrl: getUrl() };
  const found = await issueOf(state, membership, reference.issueId);
  const told = await toldBy(state, place, reference.deliveryKey);
  const notification =
    told?.issue?.id === reference.issueId || !found ? told : await linkedIn(state, place, ofIssue(found, getUrl()));
  if (!notification || !found) return { text: texts.noIssue, blocks: [] };
  const work = (await workOf(state, [found.issue], null)).get(found.issue.id);
  const issueState: SlackIssueState = {
    status: found.issue.status,
    statusBy: nameOf(work?.statusBy),
    assignee: work?.assignee?.kind === 'team' ? `#${work.assignee.name}` : nameOf(work?.assignee),
    reopenedBy: action === 'unresolve' || action === 'unarchive' ? by : '',
    unassignedBy: action === 'unassign' ? by : '',
  };
  return slackAppMessage(notification, { deliveryKey: reference.deliveryKey, nowMs, state: issueState });
}

const nameOf = (person: { readonly name: string; readonly email: string } | null | undefined): string =>
  person?.name || person?.email || '';

function ofIssue({ issue, project }: Found, consoleUrl: string): Notification {
  const shortId = `${project.shortIdPrefix}-${issue.number}`;
  return {
    kind: 'state',
    severity: 'info',
    title: issue.title,
    text: issue.culprit,
    url: `${consoleUrl}/issues/${encodeURIComponent(shortId)}`,
    project: { id: project.id, slug: project.slug, name: project.name },
    issue: {
      id: issue.id,
      shortId,
      title: issue.title,
      culprit: issue.culprit,
      level: issue.level,
      count: 0,
      userCount: 0,
      release: issue.lastRelease ?? '',
      environment: '',
    },
    fields: [],
    groupKey: `issue:${issue.id}`,
  };
}
