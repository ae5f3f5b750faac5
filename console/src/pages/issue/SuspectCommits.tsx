import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { suspectCommitsQuery } from '../../features/releases/part-queries.ts';
import { authorName, shortCommit, subject } from '../../features/releases/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './SuspectCommits.module.css';
import { pluralForm } from '../../ui/numbers.ts';

/** Who may know: commits of the release where it began that touched the file where it broke. */
export function SuspectCommits({ issue }: { readonly issue: IssueDetail }) {
  const suspects = useQuery(suspectCommitsQuery(useOrg(), issue.shortId));
  if (suspects.isPending) return null;
  if (suspects.isError)
    return (
      <ErrorState
        error={suspects.error}
        retry={() => void suspects.refetch()}
        what="The suspect commits could not be loaded"
      />
    );
  const { commits, problem } = suspects.data;
  // Without releases or frames there is nothing that somebody would set up here.
  if (commits.length === 0 && (!problem || problem.code === 'no_release' || problem.code === 'no_frame')) return null;
  return (
    <Panel title={pluralForm(commits.length, 'Suspect commit')} id="suspects">
      {commits.length === 0 ? (
        <p className={styles.none}>
          {problem?.detail}{' '}
          {issue.firstRelease && (
            <Link to="/releases/$version" params={{ version: issue.firstRelease.version }} hash="panel-commits">
              Commits of {issue.firstRelease.version}
            </Link>
          )}
        </p>
      ) : (
        <ul>
          {commits.map((commit) => (
            <li key={`${commit.repository.id}-${commit.id}`} className={styles.commit}>
              <p className={styles.subject}>
                {commit.url ? (
                  <a href={commit.url} target="_blank" rel="noreferrer">
                    {subject(commit.message)}
                  </a>
                ) : (
                  subject(commit.message)
                )}
              </p>
              <p className={styles.faint}>
                <code>{shortCommit(commit.id)}</code> by{' '}
                <strong>{commit.author ? authorName(commit.author) : 'an unknown author'}</strong>,{' '}
                <Time at={commit.dateCreated} />
              </p>
              <p className={styles.faint}>{commit.reason}</p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
