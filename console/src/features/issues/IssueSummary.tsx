import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import { Level } from '../../ui/Level.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts } from '../../ui/Text.tsx';
import { issueWords } from './issue-words.ts';
import styles from './IssueSummary.module.css';
import type { Issue } from './queries.ts';

/** An issue in a row of a list: its name and text, which link to it, and below them its ID, further facts, its culprit, its project. */
export function IssueSummary({
  issue,
  mark,
  flags,
  quiet = false,
  compact,
  project,
  onFocus,
  children,
}: {
  readonly issue: Pick<Issue, 'shortId' | 'title' | 'culprit' | 'metadata' | 'level'>;
  /** In the place of its level. */
  readonly mark?: ReactNode;
  readonly flags?: ReactNode;
  /** Seen or not unresolved. */
  readonly quiet?: boolean;
  /** At the end of the facts on narrow screens, which have no columns. */
  readonly compact?: ReactNode;
  /** Last, since it is the first to be cut off. */
  readonly project?: ReactNode;
  readonly onFocus?: () => void;
  readonly children?: ReactNode;
}) {
  const { name, text, place } = issueWords(issue);
  return (
    <div className={cx(styles.what, quiet && styles.quiet)}>
      <div className={styles.line}>
        {mark ?? <Level level={issue.level} />}
        <Link
          to="/issues/$issue"
          params={{ issue: issue.shortId }}
          className={cx(rowLinkClass, styles.title)}
          data-row=""
          translate="no"
          onFocus={onFocus}
        >
          <span className={styles.name}>{name}</span>
          {text && <span className={styles.text}>{text}</span>}
        </Link>
        {flags}
      </div>
      <div className={styles.below}>
        <Facts cut>
          <span translate="no">{issue.shortId}</span>
          {children}
          {place && (
            <span className={styles.place} translate="no">
              {place}
            </span>
          )}
          {project}
        </Facts>
        {compact && <span className={styles.compact}>{compact}</span>}
      </div>
    </div>
  );
}
