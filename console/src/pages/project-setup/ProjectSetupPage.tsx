import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { PlatformChoice } from '../../features/projects/PlatformChoice.tsx';
import { knownPlatform, languageOfPlatform, type PlatformId } from '../../features/projects/platforms.ts';
import { updateProject } from '../../features/projects/changes.ts';
import { projectQuery } from '../../features/projects/queries.ts';
import { hasSourceMaps, releaseTools, sourceTools } from '../../features/projects/setup/release-snippets.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/project-setup.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Column, PageBar, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { BuildTools } from './BuildTools.tsx';
import { FirstEvent } from './FirstEvent.tsx';
import { FirstTrace } from './FirstTrace.tsx';
import { PlatformSetup } from './PlatformSetup.tsx';
import { SourceMaps } from './SourceMaps.tsx';
import { useBuildToken } from './use-build-token.ts';

const route = getRouteApi('/shell/projects/$slug/setup');

/** How to send data, until the first of it is here. */
export function ProjectSetupPage() {
  const org = useOrg();
  const may = useMay('project:write');
  const { slug } = route.useParams();
  const queries = useQueryClient();
  const project = useQuery({
    ...projectQuery(org, slug),
    // The stream turns the page; this is the net below, where a proxy swallows streams.
    refetchInterval: ({ state: { data } }) =>
      data && (data.firstEvent === null || !data.firstTransactionEvent) ? 5000 : false,
  });
  const [chosen, setChosen] = useState<PlatformId>();
  useTitle(m.titleOnly, project.data?.name ?? slug);
  const save = useMutation({
    mutationFn: (platform: string) => updateProject(org, slug, { platform }),
    onSuccess: (updated) => queries.setQueryData(projectQuery(org, slug).queryKey, updated),
  });
  const token = useBuildToken(slug);

  return (
    <QueryView query={project} loading={m.loading} failed={m.failed} rows={6} height={64}>
      {(known) => {
        const platform = chosen ?? knownPlatform(known.platform);
        const language = languageOfPlatform(platform);
        const target = { dsn: known.dsn ?? location.origin, org, project: known.slug };
        const sources = sourceTools(platform, language);
        return (
          <>
            <PageBar title={m.title({ project: known.name })}>
              <Link to="/projects/$slug/settings" params={{ slug }} className={buttonClass('ghost', 'small')}>
                {m.settings}
              </Link>
            </PageBar>
            <Column>
              <Stack gap={8}>
                <FirstEvent project={known} />
                <FirstTrace project={known} />
              </Stack>
              <Section title={m.dsn} note={m.dsnHint}>
                {known.dsn ? (
                  <CopyLine text={known.dsn} label={m.copyDsn} />
                ) : (
                  <p>{m.noDsn({ link: toSettings(slug) })}</p>
                )}
              </Section>
              <PlatformChoice
                value={platform}
                onChoose={(id) => {
                  setChosen(id);
                  if (may) save.mutate(id);
                }}
              />
              {known.dsn && <PlatformSetup platform={platform} target={target} />}
              {hasSourceMaps(platform, language) && <SourceMaps project={known} platform={platform} token={token} />}
              {sources.length > 0 && (
                <BuildTools
                  title={m.sources}
                  note={m.sourcesHint}
                  id="sources"
                  tools={sources}
                  target={target}
                  token={token}
                />
              )}
              <BuildTools
                title={m.releases}
                note={m.releasesHint}
                id="releases"
                tools={releaseTools(language)}
                target={target}
                token={token}
              />
            </Column>
          </>
        );
      }}
    </QueryView>
  );
}

const toSettings = (slug: string) => (text: ReactNode) => (
  <Link to="/projects/$slug/settings" params={{ slug }}>
    {text}
  </Link>
);
