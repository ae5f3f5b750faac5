import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { releaseDeploysQuery } from '../../features/releases/part-queries.ts';
import type { ReleaseDetail } from '../../features/releases/queries.ts';
import { authorName, shortCommit } from '../../features/releases/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/release.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Nothing } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

/** Where it was deployed, its authors, and in which projects it was seen. */
export function Deploys({ release }: { readonly release: ReleaseDetail }) {
  const deploys = useQuery(releaseDeploysQuery(useOrg(), release.version));
  const { authors, refs, projects, environments } = release;
  return (
    <>
      <Panel title={m.deploys} id="deploys" count={release.deployCount} boxed={false}>
        <QueryView
          query={deploys}
          loading={m.loadingDeploys}
          failed={m.deploysFailed}
          rows={2}
          height={36}
          empty={<Nothing>{m.noDeploys}</Nothing>}
        >
          {(all) => (
            <DataList compact label={m.deploys}>
              {all.map(({ id, environment, name, url, dateFinished }) => (
                <DataRow
                  key={id}
                  title={
                    <span translate="no">
                      {url && /^https?:/i.test(url) ? (
                        <a href={url} target="_blank" rel="noreferrer">
                          {environment}
                        </a>
                      ) : (
                        environment
                      )}
                    </span>
                  }
                  facts={
                    name && (
                      <Facts>
                        <span translate="no">{name}</span>
                      </Facts>
                    )
                  }
                  end={<Time at={dateFinished} />}
                />
              ))}
            </DataList>
          )}
        </QueryView>
      </Panel>
      {authors.length > 0 && (
        <Panel title={m.authors} id="authors" boxed={false}>
          <DataList compact label={m.authors}>
            {authors.map((author) => (
              <DataRow
                key={`${author.name}-${author.email}`}
                title={<span translate="no">{authorName(author)}</span>}
                end={author.name && author.email && <span translate="no">{author.email}</span>}
              />
            ))}
          </DataList>
        </Panel>
      )}
      {refs.length > 0 && (
        <Panel title={m.headCommits} id="refs" boxed={false}>
          <DataList compact label={m.headCommits}>
            {refs.map(({ repository, commit }) => (
              <DataRow
                key={repository}
                title={<span translate="no">{repository}</span>}
                end={<code data-tip={commit}>{shortCommit(commit)}</code>}
              />
            ))}
          </DataList>
        </Panel>
      )}
      {projects.length > 0 && (
        <Panel title={m.projects} id="projects" boxed={false}>
          <DataList compact label={m.projects}>
            {projects.map(({ id, slug, name, newGroups, lastSeen }) => (
              <DataRow
                key={id}
                title={
                  <Link to="." search={(before) => ({ ...before, project: slug })} translate="no">
                    {name}
                  </Link>
                }
                end={
                  <Facts>
                    {m.newIssueCount({ count: newGroups })}
                    {lastSeen && <Time at={lastSeen} />}
                  </Facts>
                }
              />
            ))}
          </DataList>
        </Panel>
      )}
      {environments.length > 0 && (
        <Panel title={m.environments} id="environments">
          <Nothing>
            <span translate="no">{environments.join(', ')}</span>
          </Nothing>
        </Panel>
      )}
    </>
  );
}
