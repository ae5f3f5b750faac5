import { Link } from '@tanstack/react-router';
import * as m from '../../messages/find.ts';
import { SourceBlock } from '../stacktrace/SourceBlock.tsx';
import { frameFunction, frameLocation } from '../stacktrace/frames.ts';
import { Flag } from '../../ui/Flag.tsx';
import { Level } from '../../ui/Level.tsx';
import { Card } from '../../ui/Page.tsx';
import { Facts } from '../../ui/Text.tsx';
import styles from './CauseCard.module.css';
import { filterOf } from './places.ts';
import type { Cause, FindAnswer, FindScope } from './queries.ts';
import { Since } from './Since.tsx';
import { TraceLine } from './TraceLine.tsx';
import { visitsText } from './words.ts';

/** One of several issues that match: its error, its line, since when. */
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
  const [release, ...others] = releases;
  return (
    <li className={styles.cause}>
      <div className={styles.line}>
        <Level level={issue.level} />
        <Link
          to="/issues/$issue"
          params={{ issue: issue.shortId }}
          search={{
            event: event.id,
            q: matchedBy === 'event' || matchedBy === 'stack' ? undefined : filterOf(matchedBy, value, scope),
          }}
          className={styles.title}
          translate="no"
        >
          <strong>{exception?.type ?? issue.title}</strong>
          {exception?.value && <span>{exception.value}</span>}
        </Link>
      </div>
      <Facts>
        <span translate="no">{issue.shortId}</span>
        <span translate="no">{issue.project.name}</span>
        {m.visitsSinceShort({ visits: visitsText(cause), when: <Since at={cause.firstSeen} /> })}
        {release && (others.length > 0 ? m.inReleases({ release, more: others.length }) : m.inRelease({ release }))}
      </Facts>
      {frame && (
        <Card>
          <p className={styles.where}>
            <span>
              {m.frame({
                function: <strong translate="no">{frameFunction(frame)}</strong>,
                location: <span translate="no">{frameLocation(frame)}</span>,
              })}
            </span>
            {cause.differs && <Flag kind="regressed">{m.differs}</Flag>}
          </p>
          {frame.context.length > 0 && <SourceBlock frame={frame} platform="javascript" />}
        </Card>
      )}
      {cause.trace && <TraceLine trace={cause.trace} />}
    </li>
  );
}
