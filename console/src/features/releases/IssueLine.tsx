import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DataRow } from '../../ui/DataList.tsx';
import { Facts } from '../../ui/Text.tsx';
import { IssueMark } from '../issues/IssueMark.tsx';
import { issueWords } from '../issues/issue-words.ts';
import type { Issue } from '../issues/queries.ts';
import styles from './IssueLine.module.css';

/** An issue of a release in one row; `end` has its numbers. */
export function IssueLine({
  issue,
  flag,
  end,
}: {
  readonly issue: Pick<Issue, 'shortId' | 'level' | 'issueCategory' | 'title' | 'culprit' | 'metadata'>;
  readonly flag?: ReactNode;
  readonly end: ReactNode;
}) {
  const { name, text, place } = issueWords(issue);
  return (
    <DataRow
      lead={<IssueMark issue={issue} />}
      title={
        <span className={styles.title}>
          <Link to="/issues/$issue" params={{ issue: issue.shortId }} className={styles.link} translate="no">
            <strong>{name}</strong> {text}
          </Link>
          {flag}
        </span>
      }
      facts={
        <div translate="no">
          <Facts>
            {issue.shortId}
            {place}
          </Facts>
        </div>
      }
      end={end}
    />
  );
}
