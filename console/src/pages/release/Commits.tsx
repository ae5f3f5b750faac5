import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import { releaseCommitsQuery, type ReleaseCommit } from '../../features/releases/part-queries.ts';
import type { ReleaseDetail } from '../../features/releases/queries.ts';
import { authorName, shortCommit, subject } from '../../features/releases/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import { shellWord } from '../../features/shell-quote.ts';
import { Button } from '../../ui/Button.tsx';
import { plural } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ReleasePage.module.css';

/** What went into the release, the newest first. */
export function Commits({ release }: { readonly release: ReleaseDetail }) {
  const org = useOrg();
  const [limit, setLimit] = useState(10);
  const commits = useQuery({
    ...releaseCommitsQuery(org, release.version, limit),
    placeholderData: (before) => before,
  });
  return (
    <Panel title="Commits" id="commits" count={release.commitCount} boxed={!(commits.data?.rows.length === 0)}>
      {commits.isPending ? (
        <Skeleton rows={3} height={44} label="Loading commits" />
      ) : commits.isError ? (
        <ErrorState error={commits.error} retry={() => void commits.refetch()} what="The commits could not be loaded" />
      ) : commits.data.rows.length === 0 ? (
        <div className={styles.hint}>
          <p>This release has no commits yet. With them, issues show suspect commits:</p>
          <CodeBlock
            file="Terminal, in the repository"
            language="sh"
            label="Set the commits"
            code={`export SENTRY_URL=${location.origin}\nnpx @sentry/cli releases set-commits --org ${org} ${shellWord(release.version)} --local`}
          />
        </div>
      ) : (
        <>
          <ul>
            {commits.data.rows.map((commit) => (
              <CommitRow key={`${commit.repository.id}-${commit.id}`} commit={commit} />
            ))}
          </ul>
          {commits.data.more && limit < 100 && (
            <Button
              size="small"
              variant="ghost"
              busy={commits.isPlaceholderData}
              className={styles.more}
              onClick={() => setLimit(100)}
            >
              Show more commits
            </Button>
          )}
        </>
      )}
    </Panel>
  );
}

function CommitRow({ commit }: { readonly commit: ReleaseCommit }) {
  const first = subject(commit.message);
  return (
    <li className={styles.commit}>
      <p className={styles.subject}>
        {commit.url ? (
          <a href={commit.url} target="_blank" rel="noreferrer">
            {first}
          </a>
        ) : (
          first
        )}
      </p>
      <p className={styles.faint}>
        <code>{shortCommit(commit.id)}</code> by {commit.author ? authorName(commit.author) : 'an unknown author'},{' '}
        <Time at={commit.dateCreated} />, {commit.repository.name}
      </p>
      {commit.fileCount > 0 && (
        <details className={styles.commitFiles}>
          <summary>{plural(commit.fileCount, 'file')}</summary>
          <ul>
            {commit.files.map((file) => (
              <li key={file.path}>
                <span className={styles.change} title={changes[file.type] ?? file.type}>
                  {file.type}
                </span>
                <code>{file.path}</code>
              </li>
            ))}
            {commit.fileCount > commit.files.length && <li>and {commit.fileCount - commit.files.length} more</li>}
          </ul>
        </details>
      )}
    </li>
  );
}

const changes: Readonly<Record<string, string>> = { A: 'added', M: 'modified', D: 'deleted' };
