import * as m from '../../messages/issues.ts';
import { PerformanceIcon } from '../../ui/icons.ts';
import { Level } from '../../ui/Level.tsx';
import styles from './IssueSummary.module.css';
import type { Issue } from './queries.ts';

/** What an issue is: the level of an error, or that it is about performance. */
export function IssueMark({ issue }: { readonly issue: Pick<Issue, 'level' | 'issueCategory'> }) {
  if (issue.issueCategory !== 'performance') return <Level level={issue.level} />;
  return (
    <span className={styles.category} data-tip={m.kinds.performance}>
      <PerformanceIcon size={12} aria-hidden="true" />
      <span className="visually-hidden">{m.kinds.performance}</span>
    </span>
  );
}
