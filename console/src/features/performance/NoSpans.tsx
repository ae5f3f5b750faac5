import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PerformanceIcon } from '../../ui/icons.ts';
import { CodeBlock } from '../code/CodeBlock.tsx';
import { projectsQuery } from '../projects/queries.ts';
import { useOrg } from '../session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/State.tsx';
import styles from './performance.module.css';

/** The first run: errors come without tracing, transactions do not. */
export function NoSpans({
  project: slug,
  what = 'transaction',
}: {
  readonly project: string | undefined;
  readonly what?: string;
}) {
  const { data: projects } = useQuery(projectsQuery(useOrg()));
  const project = projects?.find((each) => each.slug === slug) ?? projects?.find((each) => !each.isInternal);
  const isBrowser = what === 'page load' || project?.platform?.startsWith('javascript');
  return (
    <EmptyState title={`No ${what} has arrived yet`} icon={<PerformanceIcon size={24} />}>
      <p>
        The SDK sends them once tracing is on: give it a <code>tracesSampleRate</code>. 1.0 sends all of them, 0.1 one
        in ten. This page updates automatically.
      </p>
      <div className={styles.snippet}>
        <CodeBlock
          file={isBrowser ? 'main.js' : 'instrument.mjs'}
          label="Turn tracing on"
          code={`Sentry.init({
  dsn: '…',
  tracesSampleRate: 1.0,${isBrowser ? '\n  integrations: [Sentry.browserTracingIntegration()],' : ''}
});`}
        />
      </div>
      <p>OpenTelemetry works as well: its exporters need only the address and the key of a project.</p>
      {project && (
        <Link to="/projects/$slug/setup" params={{ slug: project.slug }} className={buttonClass('primary')}>
          Show the set-up steps of {project.name}
        </Link>
      )}
    </EmptyState>
  );
}
