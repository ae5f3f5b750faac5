import { ReleasesIcon } from '../../ui/icons.ts';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { EmptyState } from '../../ui/State.tsx';
import styles from './ReleasesPage.module.css';

/** The first run: releases come with events, or are made by the build. */
export function NoReleases({ project }: { readonly project: Project | undefined }) {
  const org = useOrg();
  const slug = project?.slug ?? 'web';
  return (
    <EmptyState title="No release yet" icon={<ReleasesIcon size={24} />}>
      <p>
        A release appears with the first event that names one: give <code>release</code> to the SDK, or let a bundler
        plugin do it. A build can also make it, and say which commits are in it:
      </p>
      <div className={styles.snippet}>
        <CodeBlock
          file="Terminal"
          language="sh"
          label="Make a release"
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
