import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import { PlatformChoice } from '../../features/projects/PlatformChoice.tsx';
import { platforms } from '../../features/projects/platforms.ts';
import { updateProject } from '../../features/projects/changes.ts';
import { projectQuery } from '../../features/projects/queries.ts';
import { snippets, type SnippetStep } from '../../features/projects/snippets.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Column, PageBar } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { FirstEvent } from './FirstEvent.tsx';
import { FirstTrace } from './FirstTrace.tsx';
import styles from './ProjectSetupPage.module.css';
import { SourceMaps } from './SourceMaps.tsx';

const route = getRouteApi('/shell/projects/$slug/setup');

/** How to send data, until the first of it is here. */
export function ProjectSetupPage() {
  const org = useOrg();
  const { slug } = route.useParams();
  const queries = useQueryClient();
  const project = useQuery({
    ...projectQuery(org, slug),
    // The stream turns the page; this is the net below, where a proxy swallows streams.
    refetchInterval: ({ state: { data } }) =>
      data && (data.firstEvent === null || !data.firstTransactionEvent) ? 5000 : false,
  });
  const [chosen, setChosen] = useState<string>();
  useTitle('Set up', project.data?.name ?? slug);
  const save = useMutation({
    mutationFn: (platform: string) => updateProject(org, slug, { platform }),
    onSuccess: (updated) => queries.setQueryData(projectQuery(org, slug).queryKey, updated),
  });

  if (project.isPending) return <Skeleton rows={6} height={64} label="Loading project" />;
  if (project.isError)
    return (
      <ErrorState error={project.error} retry={() => void project.refetch()} what="The project could not be loaded" />
    );
  const stored = project.data.platform ?? 'other';
  const platform = chosen ?? (platforms.some((each) => each.id === stored) ? stored : 'other');

  return (
    <>
      <PageBar title={`Set up ${project.data.name}`}>
        <Link to="/projects/$slug/settings" params={{ slug }} className={buttonClass('ghost', 'small')}>
          Settings
        </Link>
      </PageBar>
      <Column>
        <div className={styles.arrivals}>
          <FirstEvent project={project.data} />
          <FirstTrace project={project.data} />
        </div>
        <section className={styles.dsn} aria-label="DSN">
          <h2>DSN</h2>
          <p className={styles.note}>
            Already using a Sentry SDK? Replace its DSN with this one; nothing else changes.
          </p>
          {project.data.dsn ? (
            <div className={styles.copyLine}>
              <code>{project.data.dsn}</code>
              <CopyButton text={project.data.dsn} label="Copy DSN" />
            </div>
          ) : (
            <p>
              Every key of this project is disabled.{' '}
              <Link to="/projects/$slug/settings" params={{ slug }}>
                Enable or create one
              </Link>
              .
            </p>
          )}
        </section>
        <PlatformChoice
          value={platform}
          onChange={(id) => {
            setChosen(id);
            save.mutate(id);
          }}
        />
        {project.data.dsn && (
          <ol className={styles.steps}>
            {snippets(platform, project.data.dsn).map((step, index) => (
              <Step key={`${platform}-${step.title}`} step={step} number={index + 1} />
            ))}
          </ol>
        )}
        <SourceMaps project={project.data} platform={platform} />
      </Column>
    </>
  );
}

function Step({ step, number }: { readonly step: SnippetStep; readonly number: number }) {
  return (
    <li className={styles.step}>
      <h2 className={styles.stepTitle}>
        <span className={styles.number}>{number}</span>
        {step.title}
      </h2>
      <CodeBlock
        file={step.file ?? (step.language === 'sh' ? 'Terminal' : 'Anywhere')}
        code={step.code}
        language={step.language}
        label={step.title}
      />
    </li>
  );
}
