import { ReleasesIcon } from '../../ui/icons.ts';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/releases.ts';
import { EmptyState } from '../../ui/State.tsx';
import styles from './ReleasesPage.module.css';

/** The first run: releases come with events, or a build creates them. */
export function NoReleases({ project }: { readonly project: Project | undefined }) {
  const org = useOrg();
  const slug = project?.slug ?? 'web';
  return (
    <EmptyState title={m.emptyTitle} icon={<ReleasesIcon size={24} />}>
      <p>{m.emptyHint}</p>
      <div className={styles.snippet}>
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
      </div>
    </EmptyState>
  );
}
