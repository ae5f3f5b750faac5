import { useQuery } from '@tanstack/react-query';
import * as m from '../../messages/performance.ts';
import { CodeBlock } from '../code/CodeBlock.tsx';
import { Empty } from '../places/Empty.tsx';
import { projectsQuery } from '../projects/queries.ts';
import { useMay, useOrg } from '../session/organization.ts';
import { noSpans, noSpansOf } from './empty.ts';

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
  const may = useMay('project:write');
  const isBrowser = kind === 'pageLoad' || project?.platform?.startsWith('javascript');
  const how = (
    <>
      <CodeBlock
        file={isBrowser ? 'main.js' : 'instrument.mjs'}
        label={m.turnOnTracing}
        code={`Sentry.init({
  dsn: '…',
  tracesSampleRate: 1.0,${isBrowser ? '\n  integrations: [Sentry.browserTracingIntegration()],' : ''}
});`}
      />
      <p>{m.openTelemetry}</p>
    </>
  );
  return project ? (
    <Empty of={noSpansOf} values={{ kind, project: project.name, slug: project.slug }}>
      {how}
    </Empty>
  ) : (
    <Empty of={noSpans} values={{ kind }} mayAct={may}>
      {how}
    </Empty>
  );
}
