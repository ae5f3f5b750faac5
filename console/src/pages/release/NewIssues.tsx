import { termText } from '@culprit/search';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Filters } from '../../features/filters/filters.ts';
import { issueWords } from '../../features/issues/issue-words.ts';
import { issuesQuery } from '../../features/issues/queries.ts';
import type { ReleaseDetail } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Count } from '../../ui/Count.tsx';
import { Level } from '../../ui/Level.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ReleasePage.module.css';

const shown = 10;
/** Whatever is still stored. */
const range = '90d';

/** Issues that nobody had seen before this release, most events first. */
export function NewIssues({ release, filters }: { readonly release: ReleaseDetail; readonly filters: Filters }) {
  const query = termText('firstRelease', release.version);
  const asked = { project: filters.project, environment: filters.environment, range };
  const list = useQuery(
    issuesQuery({
      org: useOrg(),
      query,
      sort: 'freq',
      limit: shown,
      filters: asked,
    }),
  );
  return (
    <Panel
      title="New issues"
      id="new-issues"
      count={release.newGroups}
      tools={
        release.newGroups > 0 && (
          <Link to="/issues" search={{ q: query, status: 'all', ...asked }}>
            Open as list
          </Link>
        )
      }
    >
      {list.isPending ? (
        <Skeleton rows={3} height={44} label="Loading new issues" />
      ) : list.isError ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} what="The issues could not be loaded" />
      ) : list.data.issues.length === 0 ? (
        <p className={styles.none}>No issue was seen for the first time in this release.</p>
      ) : (
        <ul>
          {list.data.issues.map((issue) => {
            const { name, text, place } = issueWords(issue);
            return (
              <li key={issue.id} className={styles.issue}>
                <Level level={issue.level} />
                <div className={styles.issueWhat}>
                  <Link to="/issues/$issue" params={{ issue: issue.shortId }} className={styles.issueTitle}>
                    <strong>{name}</strong> {text}
                  </Link>
                  <span className={styles.faint}>
                    {issue.shortId}
                    {place && ` · ${place}`}
                  </span>
                </div>
                <span className={styles.issueCount}>
                  <Count value={Number(issue.count)} /> ×
                </span>
                <span className={styles.issueWhen}>
                  <Time at={issue.lastSeen} />
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
