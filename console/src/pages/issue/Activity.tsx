import { groupingActivityWords } from '../../features/grouping/activity-words.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './Activity.module.css';
import { Panel } from '../../ui/Panel.tsx';

const words: Readonly<Record<string, string>> = {
  first_seen: 'First seen',
  set_resolved: 'Resolved',
  set_unresolved: 'Reopened',
  set_ignored: 'Archived',
  set_regression: 'Came back after it was resolved',
  views_attached: 'Views of this failure in browsers, which had waited for it, were added',
};

/** What happened, in words; `prefix` is that of the issue's short id. */
function wordsOf(entry: IssueDetail['activity'][number], prefix: string): string {
  const { type, data } = entry;
  if (type !== 'joined') return words[type] ?? groupingActivityWords(entry, prefix) ?? type;
  const { number } = data;
  const other = typeof number === 'number' ? `${prefix}-${number}` : 'Another issue';
  return `${other} was joined into this one: with their source maps, its events turned out to be the same`;
}

export function Activity({ issue }: { readonly issue: IssueDetail }) {
  if (issue.activity.length === 0) return null;
  return (
    <Panel title="Activity" id="activity">
      <ol className={styles.list}>
        {issue.activity.map((each) => (
          <li key={each.id} className={styles.row}>
            <span>
              {wordsOf(each, issue.shortId.slice(0, issue.shortId.lastIndexOf('-')))}
              {each.user && <span className={styles.who}> by {each.user.name || each.user.email}</span>}
            </span>
            <span className={styles.when}>
              <Time at={each.dateCreated} />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
