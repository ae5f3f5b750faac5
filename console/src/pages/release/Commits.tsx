import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import { releaseCommitsQuery, type ReleaseCommit } from '../../features/releases/part-queries.ts';
import type { ReleaseDetail } from '../../features/releases/queries.ts';
import { authorName, shortCommit, subject } from '../../features/releases/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import { shellWord } from '../../features/shell-quote.ts';
import * as m from '../../messages/release.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Nothing, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { mostRows } from './limits.ts';
import styles from './ReleasePage.module.css';

/** What is in the release, the newest first. */
export function Commits({ release }: { readonly release: ReleaseDetail }) {
  const org = useOrg();
  const [limit, setLimit] = useState(10);
  const commits = useQuery({
    ...releaseCommitsQuery(org, release.version, limit),
    placeholderData: (before) => before,
  });
  return (
    <Panel title={m.commits} id="commits" count={release.commitCount} boxed={false}>
      <QueryView
        query={commits}
        loading={m.loadingCommits}
        failed={m.commitsFailed}
        height={44}
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          <>
            <Nothing>{m.noCommits}</Nothing>
            <CodeBlock
              file={m.terminal}
              language="sh"
              label={m.setCommits}
              code={`export SENTRY_URL=${location.origin}\nnpx @sentry/cli releases set-commits --org ${org} ${shellWord(release.version)} --local`}
            />
          </>
        }
      >
        {({ rows, more }) => (
          <>
            <DataList label={m.commits}>
              {rows.map((commit) => (
                <CommitRow key={`${commit.repository.id}-${commit.id}`} commit={commit} />
              ))}
            </DataList>
            {more && limit < mostRows && (
              <Button size="small" variant="ghost" busy={commits.isPlaceholderData} onClick={() => setLimit(mostRows)}>
                {m.moreCommits}
              </Button>
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
}

export function CommitRow({ commit }: { readonly commit: ReleaseCommit }) {
  const first = subject(commit.message);
  const more = commit.fileCount - commit.files.length;
  return (
    <DataRow
      title={
        <span translate="no">
          {commit.url ? (
            <a href={commit.url} target="_blank" rel="noreferrer">
              {first}
            </a>
          ) : (
            first
          )}
        </span>
      }
      facts={
        <Facts>
          {m.commitBy({
            id: <code>{shortCommit(commit.id)}</code>,
            author: authorName(commit.author ?? { name: null, email: null }),
          })}
          <Time at={commit.dateCreated} />
          <span translate="no">{commit.repository.name}</span>
        </Facts>
      }
    >
      {commit.fileCount > 0 && (
        <details className={styles.files}>
          <summary>{m.fileCount({ count: commit.fileCount })}</summary>
          <ul>
            {commit.files.map((file) => (
              <li key={file.path}>
                <code data-tip={changes[file.type] ?? file.type}>
                  {file.type} {file.path}
                </code>
              </li>
            ))}
            {more > 0 && (
              <li>
                <Text small>{m.moreChanges({ count: more })}</Text>
              </li>
            )}
          </ul>
        </details>
      )}
    </DataRow>
  );
}

const changes: Readonly<Record<string, string>> = m.changes;
