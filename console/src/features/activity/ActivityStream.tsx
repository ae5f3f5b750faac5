import { useQuery } from '@tanstack/react-query';
import { Comment, NewComment } from '../comments/Comment.tsx';
import { commentsQuery } from '../comments/queries.ts';
import type { IssueDetail } from '../issues/queries.ts';
import { useMay, useOrg } from '../session/organization.ts';
import { Avatar } from '../triage/Avatar.tsx';
import * as m from '../../messages/activity.ts';
import { ErrorState } from '../../ui/State.tsx';
import { Text } from '../../ui/Text.tsx';
import { presentFor } from '../../ui/clock.ts';
import { Time, useNow } from '../../ui/Time.tsx';
import { relativeTime } from '../../ui/relative-time.ts';
import styles from './ActivityStream.module.css';
import { activityWords } from './activity-words.ts';
import { streamRows } from './stream.ts';

const maxFaces = 6;

/** Who saw it and who is notified, what happened and what was said, the newest first, and where to comment. */
export function ActivityStream({ issue, writing }: { readonly issue: IssueDetail; readonly writing: boolean }) {
  const org = useOrg();
  const may = useMay('event:write');
  const comments = useQuery(commentsQuery(org, issue.id));
  const prefix = issue.shortId.slice(0, issue.shortId.lastIndexOf('-'));
  return (
    <>
      <People issue={issue} />
      {may && (
        <div className={styles.write}>
          <NewComment issue={issue.id} focused={writing} />
        </div>
      )}
      {comments.isError && (
        <ErrorState error={comments.error} retry={() => void comments.refetch()} what={m.commentsFailed} />
      )}
      <ol className={styles.stream}>
        {streamRows(issue.activity, comments.data ?? []).map((row) =>
          row.kind === 'comment' ? (
            <li key={row.comment.id} className={styles.comment}>
              <Comment issue={issue.id} comment={row.comment} />
            </li>
          ) : (
            <ActivityRow key={row.entry.id} entry={row.entry} prefix={prefix} />
          ),
        )}
      </ol>
    </>
  );
}

export function ActivityRow({
  entry,
  prefix,
}: {
  readonly entry: IssueDetail['activity'][number];
  /** Of the project's short ids. */
  readonly prefix: string;
}) {
  const what = activityWords(entry, prefix);
  const name = entry.user && (entry.user.name || entry.user.email);
  return (
    <li className={styles.happened}>
      <span className={styles.words}>
        {name
          ? m.by({
              what,
              name: (
                <Text>
                  <span translate="no">{name}</span>
                </Text>
              ),
            })
          : what}
      </span>
      <Text tone="faint">
        <Time at={entry.dateCreated} />
      </Text>
    </li>
  );
}

function People({ issue: { seenBy, participants } }: { readonly issue: IssueDetail }) {
  const now = useNow();
  if (seenBy.length === 0 && participants.length === 0) return null;
  return (
    <div className={styles.people}>
      <Faces label={m.seenBy} people={seenBy.map((each) => ({ ...each, note: agoOf(each.lastSeen, now) }))} />
      <Faces label={m.notified} people={participants.map((each) => ({ ...each, note: m.getsNotifications }))} />
    </div>
  );
}

function agoOf(at: string, now: number): string {
  const moment = Date.parse(at);
  return relativeTime(moment, presentFor(moment, now));
}

function Faces({
  label,
  people,
}: {
  readonly label: string;
  readonly people: readonly {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly note: string;
  }[];
}) {
  if (people.length === 0) return null;
  return (
    <div className={styles.faces}>
      <span>{label}</span>
      <ul>
        {people.slice(0, maxFaces).map(({ id, name, email, note }) => (
          <li key={id} data-tip={m.face({ name: name || email, note })}>
            <Avatar who={{ type: 'user', name, email }} />
            <span className="visually-hidden">{m.face({ name: name || email, note })}</span>
          </li>
        ))}
      </ul>
      {people.length > maxFaces && <span>{m.moreFaces({ count: people.length - maxFaces })}</span>}
    </div>
  );
}
