import { Link } from '@tanstack/react-router';
import { SourceBlock } from '../stacktrace/SourceBlock.tsx';
import { frameFunction, frameLocation } from '../stacktrace/frames.ts';
import { Flag } from '../../ui/Flag.tsx';
import { Level } from '../../ui/Level.tsx';
import styles from './CauseCard.module.css';
import { filterOf } from './places.ts';
import type { Cause, FindAnswer, FindScope } from './queries.ts';
import { Since } from './Since.tsx';
import { TraceLine } from './TraceLine.tsx';
import { visitsText } from './words.ts';

/** One of several issues that match: what threw, in which line, since when. */
export function CauseCard({
  cause,
  matchedBy,
  value,
  scope,
}: {
  readonly cause: Cause;
  readonly matchedBy: Extract<FindAnswer, { kind: 'cause' }>['matchedBy'];
  readonly value: string;
  readonly scope: FindScope;
}) {
  const { issue, event, exception, frame, releases } = cause;
  return (
    <li className={styles.card}>
      <div className={styles.line}>
        <Level level={issue.level} />
        <Link
          to="/issues/$issue"
          params={{ issue: issue.shortId }}
          search={{ event: event.id, q: matchedBy === 'event' ? undefined : filterOf(matchedBy, value, scope) }}
          className={styles.title}
        >
          <strong>{exception?.type ?? issue.title}</strong>
          {exception?.value && <span>{exception.value}</span>}
        </Link>
      </div>
      <p className={styles.sub}>
        <span>{issue.shortId}</span>
        <span>{issue.project.name}</span>
        <span>
          {visitsText(cause.visits)} since <Since at={cause.firstSeen} />
        </span>
        {releases[0] && (
          <span>in {releases.length > 1 ? `${releases[0]} and ${releases.length - 1} more` : releases[0]}</span>
        )}
      </p>
      {frame && (
        <div className={styles.frame}>
          <p className={styles.where}>
            <span>
              <strong>{frameFunction(frame)}</strong> in {frameLocation(frame)}
            </span>
            {cause.differs && <Flag kind="regressed">differs</Flag>}
          </p>
          {frame.context.length > 0 && <SourceBlock frame={frame} platform="javascript" />}
        </div>
      )}
      {cause.trace && <TraceLine trace={cause.trace} />}
    </li>
  );
}
