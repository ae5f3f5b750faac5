import { useQuery } from '@tanstack/react-query';
import { Comment, NewComment } from '../comments/Comment.tsx';
import { commentsQuery } from '../comments/queries.ts';
import type { IssueDetail } from '../issues/queries.ts';
import { useOrg } from '../session/organization.ts';
import { Avatar } from '../triage/Avatar.tsx';
import { ErrorState } from '../../ui/State.tsx';
import { presentFor } from '../../ui/clock.ts';
import { Time, useNow } from '../../ui/Time.tsx';
import { relativeTime } from '../../ui/relative-time.ts';
import styles from './ActivityStream.module.css';
import { activityWords } from './activity-words.ts';
import { streamRows } from './stream.ts';

const maxFaces = 6;

/** Who has looked and who is told, what happened and what was said, the newest first, and where one says more. */
export function ActivityStream({ issue, writing }: { readonly issue: IssueDetail; readonly writing: boolean }) {
  const org = useOrg();
  const comments = useQuery(commentsQuery(org, issue.id));
  const prefix = issue.shortId.slice(0, issue.shortId.lastIndexOf('-'));
  return (
    <>
      <People issue={issue} />
      <div className={styles.write}>
        <NewComment issue={issue.id} focused={writing} />
      </div>
      {comments.isError && (
        <ErrorState
          error={comments.error}
          retry={() => void comments.refetch()}
          what="The comments could not be loaded"
        />
      )}
      <ol className={styles.list}>
        {streamRows(issue.activity, comments.data ?? []).map((row) =>
          row.kind === 'comment' ? (
            <li key={row.comment.id} className={styles.comment}>
              <Comment issue={issue.id} comment={row.comment} />
            </li>
          ) : (
            <li key={row.entry.id} className={styles.row}>
              <span className={styles.words}>
                {activityWords(row.entry, prefix)}
                {row.entry.user && (
                  <span className={styles.who}> by {row.entry.user.name || row.entry.user.email}</span>
                )}
              </span>
              <span className={styles.when}>
                <Time at={row.entry.dateCreated} />
              </span>
            </li>
          ),
        )}
      </ol>
    </>
  );
}

function People({ issue: { seenBy, participants } }: { readonly issue: IssueDetail }) {
  const now = useNow();
  if (seenBy.length === 0 && participants.length === 0) return null;
  return (
    <div className={styles.people}>
      <Faces label="Seen by" people={seenBy.map((each) => ({ ...each, note: agoOf(each.lastSeen, now) }))} />
      <Faces label="Notified" people={participants.map((each) => ({ ...each, note: 'gets notifications' }))} />
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
          <li key={id} data-tip={`${name || email}, ${note}`}>
            <Avatar who={{ type: 'user', name, email }} />
            <span className="visually-hidden">
              {name || email}, {note}
            </span>
          </li>
        ))}
      </ul>
      {people.length > maxFaces && <span>and {people.length - maxFaces} more</span>}
    </div>
  );
}
