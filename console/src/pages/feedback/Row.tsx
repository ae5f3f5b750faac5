import { Link } from '@tanstack/react-router';
import type { Feedback } from '../../features/feedback/queries.ts';
import { whoWrote } from '../../features/feedback/words.ts';
import { cx } from '../../ui/cx.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './FeedbackPage.module.css';

export function Row({
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
    <li className={cx(styles.row, current && styles.current)}>
      <Link
        from="/feedback"
        to="."
        search={(before) => ({ ...before, id })}
        className={styles.link}
        data-row=""
        aria-current={current ? 'true' : undefined}
      >
        <span className={styles.who}>{whoWrote(feedback)}</span>
        <span className={styles.said}>{message}</span>
      </Link>
      <span className={styles.facts}>
        <Time at={dateCreated} short />
        {issue && <span>{issue.shortId}</span>}
        {showProject && <span className={styles.project}>{project.name}</span>}
      </span>
    </li>
  );
}
