import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as m from '../../messages/performance.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { PerformanceIcon } from '../../ui/icons.ts';
import { EmptyState } from '../../ui/State.tsx';
import { CodeBlock } from '../code/CodeBlock.tsx';
import { projectsQuery } from '../projects/queries.ts';
import { useOrg } from '../session/organization.ts';
import styles from './performance.module.css';

/** The first run: errors come without tracing, transactions do not. */
export function NoSpans({
  project: slug,
  kind = 'transaction',
}: {
  readonly project: string | undefined;
  readonly kind?: keyof typeof m.noneYet;
}) {
  const { data: projects } = useQuery(projectsQuery(useOrg()));
  const project = projects?.find((each) => each.slug === slug) ?? projects?.find((each) => !each.isInternal);
  const isBrowser = kind === 'pageLoad' || project?.platform?.startsWith('javascript');
  return (
    <EmptyState title={m.noneYet[kind]} icon={<PerformanceIcon size={24} />}>
      <p>{m.noneYetHint}</p>
      <div className={styles.snippet}>
        <CodeBlock
          file={isBrowser ? 'main.js' : 'instrument.mjs'}
          label={m.turnOnTracing}
          code={`Sentry.init({
  dsn: '…',
  tracesSampleRate: 1.0,${isBrowser ? '\n  integrations: [Sentry.browserTracingIntegration()],' : ''}
});`}
        />
      </div>
      <p>{m.openTelemetry}</p>
      {project && (
        <Link to="/projects/$slug/setup" params={{ slug: project.slug }} className={buttonClass('primary')}>
          {m.showSetup({ project: project.name })}
        </Link>
      )}
    </EmptyState>
  );
}
