import type { IssueDetail } from '../issues/queries.ts';
import { Avatar } from '../triage/Avatar.tsx';
import { Time, useNow } from '../../ui/Time.tsx';
import { relativeTime } from '../../ui/relative-time.ts';
import styles from './ActivityStream.module.css';
import { activityWords } from './activity-words.ts';

const mostFaces = 6;

/** Who has looked and who is told, and what happened, the newest first. */
export function ActivityStream({ issue }: { readonly issue: IssueDetail }) {
  const prefix = issue.shortId.slice(0, issue.shortId.lastIndexOf('-'));
  return (
    <>
      <People issue={issue} />
      <ol className={styles.list}>
        {issue.activity.map((entry) => (
          <li key={entry.id} className={styles.row}>
            <span className={styles.words}>
              {activityWords(entry, prefix)}
              {entry.user && <span className={styles.who}> by {entry.user.name || entry.user.email}</span>}
            </span>
            <span className={styles.when}>
              <Time at={entry.dateCreated} />
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function People({ issue: { seenBy, participants } }: { readonly issue: IssueDetail }) {
  const now = useNow();
  if (seenBy.length === 0 && participants.length === 0) return null;
  return (
    <div className={styles.people}>
      <Faces
        label="Seen by"
        people={seenBy.map((each) => ({ ...each, note: relativeTime(Date.parse(each.lastSeen), now) }))}
      />
      <Faces label="Told" people={participants.map((each) => ({ ...each, note: 'is told what happens' }))} />
    </div>
  );
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
        {people.slice(0, mostFaces).map(({ id, name, email, note }) => (
          <li key={id} data-tip={`${name || email}, ${note}`}>
            <Avatar who={{ type: 'user', name, email }} />
            <span className="visually-hidden">
              {name || email}, {note}
            </span>
          </li>
        ))}
      </ul>
      {people.length > mostFaces && <span>and {people.length - mostFaces} more</span>}
    </div>
  );
}
