import { Link } from '@tanstack/react-router';
import type { Feedback } from '../../features/feedback/queries.ts';
import { whoWrote } from '../../features/feedback/words.ts';
import { DataRow } from '../../ui/DataList.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './FeedbackPage.module.css';

export function FeedbackRow({
  feedback,
  current,
  showProject,
}: {
  readonly feedback: Feedback;
  readonly current: boolean;
  readonly showProject: boolean;
}) {
  const { id, message, issue, project, dateCreated } = feedback;
  return (
    <DataRow
      current={current}
      title={
        <Link
          from="/feedback"
          to="."
          search={(before) => ({ ...before, id })}
          className={rowLinkClass}
          data-row=""
          aria-current={current ? 'true' : undefined}
        >
          <span translate="no">{whoWrote(feedback)}</span>
        </Link>
      }
      facts={
        <p className={styles.said} translate="no">
          {message}
        </p>
      }
      end={
        <>
          <Time at={dateCreated} short />
          <Inline>
            {issue && <span translate="no">{issue.shortId}</span>}
            {showProject && (
              <span className={styles.project} translate="no">
                {project.name}
              </span>
            )}
          </Inline>
        </>
      }
    />
  );
}
