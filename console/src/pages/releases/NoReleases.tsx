import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import { Empty } from '../../features/places/Empty.tsx';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/releases.ts';
import { none } from './empty.ts';

/** The first run: releases come with events, or a build creates them. */
export function NoReleases({ project }: { readonly project: Project | undefined }) {
  const org = useOrg();
  const slug = project?.slug ?? 'web';
  return (
    <Empty of={none}>
      <CodeBlock
        file={m.terminal}
        language="sh"
        label={m.createRelease}
        code={`export SENTRY_URL=${location.origin}
export SENTRY_ORG=${org} SENTRY_PROJECT=${slug}
npx @sentry/cli releases new "${slug}@1.0.0"
npx @sentry/cli releases set-commits "${slug}@1.0.0" --local
npx @sentry/cli releases finalize "${slug}@1.0.0"
npx @sentry/cli deploys new -r "${slug}@1.0.0" -e production`}
      />
    </Empty>
  );
}
