import { termText } from '@culprit/search';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { issueWords } from '../../features/issues/issue-words.ts';
import { issuesQuery } from '../../features/issues/queries.ts';
import { transactionsRange } from '../../features/performance/queries.ts';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Count } from '../../ui/Count.tsx';
import { Level } from '../../ui/Level.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './TransactionPage.module.css';

/** Errors, and problems of performance, that happened in it. */
export function TransactionIssues({ search }: { readonly search: TransactionSearch }) {
  const { project, environment, start, end, transaction = '' } = search;
  const range = start ? undefined : (search.range ?? transactionsRange);
  const filters = { project, environment, range, start, end };
  const query = termText('transaction', transaction);
  const found = useQuery(
    issuesQuery({
      org: useOrg(),
      query,
      sort: 'freq',
      limit: 5,
      filters,
    }),
  );
  return (
    <Panel
      title="Issues"
      id="issues"
      tools={
        <Link to="/issues" search={{ q: query, status: 'all', ...filters }}>
          Open as list
        </Link>
      }
    >
      {found.isPending ? (
        <Skeleton rows={2} height={44} label="Loading issues" />
      ) : found.isError && !found.data ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} what="The issues could not be loaded" />
      ) : found.data.issues.length === 0 ? (
        <p className={styles.none}>No issue happened in it in this time.</p>
      ) : (
        <ul>
          {found.data.issues.map((issue) => {
            const { name, text } = issueWords(issue);
            return (
              <li key={issue.id} className={styles.issue}>
                <Level level={issue.level} />
                <div className={styles.issueWhat}>
                  <Link to="/issues/$issue" params={{ issue: issue.shortId }} className={styles.issueTitle}>
                    <strong>{name}</strong> {text}
                  </Link>
                  <span className={styles.faint}>
                    {issue.shortId}, <Count value={Number(issue.count)} /> ×, <Time at={issue.lastSeen} />
                  </span>
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
