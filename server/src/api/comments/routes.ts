/** Comments of issues. */
import type { z } from 'zod';
import type { Identity, Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import * as issues from '../../domains/issues/index.ts';
import { comments } from '../../domains/issues/index.ts';
import { enqueue } from '../../domains/notify/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import type { StateTransaction } from '../../ports/state/state.ts';
import { things } from '../../base/texts/things.ts';
import { notifications as texts } from '../../base/texts/notifications.ts';
import * as contract from './contract.ts';
import * as notes from './notes-contract.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { type Api, type Call, implement } from '../shared/implement.ts';
import { permalinkOf, shortIdOf } from '../issues/shapes.ts';
import { iso } from '../shared/read.ts';

interface Caller {
  readonly identity: Identity;
  readonly membership: Membership;
  readonly project: Project;
  readonly issue: issues.IssueRow;
}

type Writing = z.output<typeof contract.CommentRequest>;

const maxNotifiedChars = 1_000;

export function commentRoutes(api: Api): void {
  const { state, events, live, getUrl } = api.deps;

  const commentOf = async ({ issue }: Caller, id: string, type?: 'note_deleted'): Promise<comments.Comment> => {
    const found = /^\d{1,9}$/.test(id) ? await comments.findComment(state, issue.id, Number(id), type) : undefined;
    if (!found) throw new CodedError('NOT_FOUND', [things.comment(id)]);
    return found;
  };

  /** How many events and users there are is said where the events store says it. */
  const countsOf = async (issue: issues.IssueRow): Promise<{ count: number; userCount: number }> => {
    try {
      const hashes = await issues.hashesOf(state, issue.id);
      return await issues.issueTotals({ events }, issue, hashes, [], Date.now());
    } catch {
      return { count: 0, userCount: 0 };
    }
  };

  const writingOf = async (caller: Caller, { text, mentions = [] }: Writing) => {
    const { issue, project, identity, membership } = caller;
    const { organizationId } = membership;
    const nowMs = Date.now();
    const { count, userCount } = await countsOf(issue);
    const shortId = shortIdOf(issue, project);
    const tell = async (trx: StateTransaction, userId: string, commentId: number): Promise<void> => {
      await enqueue(trx, {
        key: `mention:${commentId}:${userId}`,
        organizationId,
        to: { userId },
        notification: {
          kind: 'mentioned',
          severity: 'info',
          title: texts.mentioned(identity.user.name, shortId),
          text: text.slice(0, maxNotifiedChars).toWellFormed(),
          url: `${permalinkOf(issue, { project, baseUrl: getUrl() })}#comment-${commentId}`,
          project: { id: project.id, slug: project.slug, name: project.name },
          issue: {
            id: issue.id,
            shortId,
            title: issue.title,
            culprit: issue.culprit,
            level: issue.level,
            count,
            userCount,
            release: issue.lastRelease ?? '',
            environment: '',
          },
          fields: [],
          groupKey: `issue:${issue.id}`,
        },
      });
    };
    return { issueId: issue.id, organizationId, userId: identity.userId, text, mentions, nowMs, tell };
  };

  const list = async (caller: Caller) =>
    (await comments.listComments(state, caller.issue.id)).map((one) => toComment(one, caller));
  implement(api, contract.listComments, async ({ caller }) => list(caller));

  type NotesCall = Pick<Call<typeof notes.listNotes>, 'caller' | 'query' | 'request' | 'reply'>;
  const listNotes = async ({ caller, query, request, reply }: NotesCall) => {
    const cursor = parseCursor(query.cursor);
    const page = pageOf((await list(caller)).slice(cursor?.offset ?? 0), cursor, query.per_page);
    linkPages(request, reply, getUrl(), page);
    return [...page.rows];
  };
  implement(api, notes.listNotes, async (call) => listNotes(call));
  implement(api, notes.listOrganizationNotes, async (call) => listNotes(call));

  const add = async (caller: Caller, body: Writing) =>
    toComment(await comments.addComment({ state, live }, await writingOf(caller, body)), caller);
  implement(api, contract.addComment, async ({ caller, body }) => add(caller, body));
  implement(api, notes.addNote, async ({ caller, body }) => add(caller, body));
  implement(api, notes.addOrganizationNote, async ({ caller, body }) => add(caller, body));

  const update = async (caller: Caller, id: string, body: Writing) => {
    const comment = await commentOf(caller, id);
    if (!isOwn(comment, caller)) throw new CodedError('PERMISSION_DENIED');
    return toComment(await comments.editComment({ state, live }, comment.id, await writingOf(caller, body)), caller);
  };
  implement(api, contract.updateComment, async ({ caller, params, body }) => update(caller, params.id, body));
  implement(api, notes.updateNote, async ({ caller, params, body }) => update(caller, params.id, body));
  implement(api, notes.updateOrganizationNote, async ({ caller, params, body }) => update(caller, params.id, body));

  const remove = async (caller: Caller, id: string): Promise<void> => {
    const comment = await commentOf(caller, id);
    if (!mayDelete(comment, caller)) throw new CodedError('PERMISSION_DENIED');
    await comments.deleteComment({ state, live }, touched(caller, comment));
  };
  implement(api, contract.deleteComment, async ({ caller, params }) => remove(caller, params.id));
  implement(api, notes.deleteNote, async ({ caller, params }) => remove(caller, params.id));
  implement(api, notes.deleteOrganizationNote, async ({ caller, params }) => remove(caller, params.id));

  implement(api, contract.restoreComment, async ({ caller, params }) => {
    const comment = await commentOf(caller, params.id, 'note_deleted');
    if (!mayDelete(comment, caller)) throw new CodedError('PERMISSION_DENIED');
    return toComment(await comments.restoreComment({ state, live }, touched(caller, comment)), caller);
  });
}

const touched = ({ issue, identity }: Caller, { id }: comments.Comment) => ({
  issueId: issue.id,
  id,
  userId: identity.userId,
  nowMs: Date.now(),
});

const isOwn = ({ user }: comments.Comment, { identity }: Caller): boolean => user?.id === identity.userId;

const mayDelete = (comment: comments.Comment, caller: Caller): boolean =>
  isOwn(comment, caller) || caller.membership.scopes.includes('event:admin');

function toComment(comment: comments.Comment, caller: Caller): z.output<typeof contract.IssueComment> {
  const { id, text, user, mentions, createdAt, editedAt } = comment;
  return {
    id: String(id),
    type: 'note',
    text,
    data: { text },
    user,
    mentions: mentions.map((one) => ({ ...one })),
    canChange: isOwn(comment, caller),
    canDelete: mayDelete(comment, caller),
    dateCreated: iso(createdAt),
    dateEdited: editedAt === null ? null : iso(editedAt),
  };
}
