import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import { PlatformChoice } from '../../features/projects/PlatformChoice.tsx';
import { platforms } from '../../features/projects/platforms.ts';
import { updateProject } from '../../features/projects/changes.ts';
import { projectQuery } from '../../features/projects/queries.ts';
import { snippets } from '../../features/projects/snippets.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/project-setup.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Column, PageBar, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { FirstEvent } from './FirstEvent.tsx';
import { FirstTrace } from './FirstTrace.tsx';
import { SourceMaps } from './SourceMaps.tsx';
import { Step, Steps } from './Steps.tsx';

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
  const [chosen, setChosen] = useState<string>();
  useTitle(m.titleOnly, project.data?.name ?? slug);
  const save = useMutation({
    mutationFn: (platform: string) => updateProject(org, slug, { platform }),
    onSuccess: (updated) => queries.setQueryData(projectQuery(org, slug).queryKey, updated),
  });

  return (
    <QueryView query={project} loading={m.loading} failed={m.failed} rows={6} height={64}>
      {(known) => {
        const stored = known.platform ?? 'other';
        const platform = chosen ?? (platforms.some((each) => each.id === stored) ? stored : 'other');
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
                name="platform"
                value={platform}
                onChange={({ target: { value } }) => {
                  setChosen(value);
                  if (may) save.mutate(value);
                }}
              />
              {known.dsn && (
                <Steps>
                  {snippets(platform, known.dsn).map(({ title, file, language, code }) => (
                    <Step key={`${platform}-${title}`} title={title}>
                      <CodeBlock
                        file={file ?? (language === 'sh' ? m.terminal : m.anyFile)}
                        code={code}
                        language={language}
                        label={title}
                      />
                    </Step>
                  ))}
                </Steps>
              )}
              <SourceMaps project={known} platform={platform} />
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
