import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { suspectCommitsQuery } from '../../features/releases/part-queries.ts';
import { authorName, shortCommit, subject } from '../../features/releases/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/issue-side.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Nothing, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

type Commit = Schemas['SuspectCommit'];

/** Who may know: commits of the release where it began that touched the file where it broke. */
export function SuspectCommits({ issue }: { readonly issue: IssueDetail }) {
  const suspects = useQuery(suspectCommitsQuery(useOrg(), issue.shortId));
  if (suspects.data ? isPointless(suspects.data) : !suspects.error) return null;
  return (
    <div>
      <QueryView query={suspects} loading={m.suspectsLoading} failed={m.suspectsFailed}>
        {({ commits, problem, release, since }) => (
          <Panel title={m.suspects({ count: commits.length })} id="suspects" boxed={commits.length === 0}>
            {commits.length === 0 ? (
              <Nothing>
                {problem && whyNone[problem.code]?.({ release: release?.version ?? '' })}{' '}
                {issue.firstRelease && (
                  <Link to="/releases/$version" params={{ version: issue.firstRelease.version }} hash="panel-commits">
                    {m.commitsOf({ release: issue.firstRelease.version })}
                  </Link>
                )}
              </Nothing>
            ) : (
              <DataList compact>
                {commits.map((commit) => (
                  <CommitRow key={`${commit.repository.id}-${commit.id}`} commit={commit} before={since?.version} />
                ))}
              </DataList>
            )}
          </Panel>
        )}
      </QueryView>
    </div>
  );
}

const whyNone: Readonly<Record<string, (of: { readonly release: string }) => ReactNode>> = m.noSuspects;

/** Without releases or frames there is nothing to set up here. */
const isPointless = ({ commits, problem }: Schemas['SuspectCommits']): boolean =>
  commits.length === 0 && (!problem || problem.code === 'no_release' || problem.code === 'no_frame');

export function CommitRow({
  commit,
  before,
}: {
  readonly commit: Commit;
  /** The release before, whose commits do not count. */
  readonly before: string | undefined;
}) {
  const { certainty, file, frame, release } = commit;
  const title = <strong translate="no">{subject(commit.message)}</strong>;
  return (
    <DataRow
      title={
        commit.url ? (
          <a href={commit.url} target="_blank" rel="noreferrer">
            {title}
          </a>
        ) : (
          title
        )
      }
      facts={
        <>
          <Text as="p" small>
            {m.commitBy({
              commit: <code>{shortCommit(commit.id)}</code>,
              author: commit.author ? authorName(commit.author) : m.unknownAuthor,
              when: <Time at={commit.dateCreated} />,
            })}
          </Text>
          <Text as="p" small>
            {m.suspected[certainty]({ file, frame: frame.filename })}{' '}
            {before ? m.sinceAfter({ release, before }) : m.since({ release })}
          </Text>
        </>
      }
    />
  );
}
