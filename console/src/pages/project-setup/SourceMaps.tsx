import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TokenIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import {
  bundlers,
  tokenLine,
  uploadSnippet,
  usualBundler,
  type Bundler,
} from '../../features/source-maps/upload-snippets.ts';
import { useReminder } from '../../features/tokens/use-reminder.ts';
import { createToken } from '../../features/tokens/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { localDay } from '../../ui/relative-time.ts';
import styles from './ProjectSetupPage.module.css';
import { SourceMapsCheck } from './SourceMapsCheck.tsx';

/** How a build uploads its source maps, and whether the frames of the last event are resolved by now. */
export function SourceMaps({ project, platform }: { readonly project: Project; readonly platform: string }) {
  const org = useOrg();
  const queries = useQueryClient();
  const reminder = useReminder(org);
  const [chosen, setChosen] = useState<Bundler>();
  const bundler = chosen ?? usualBundler(platform);
  const token = useMutation({
    mutationFn: () => createToken(org, { name: `Builds of ${project.slug}`, kind: 'organization' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens', org] }),
  });
  const { install, file, language, code } = uploadSnippet(bundler, {
    url: project.dsn ? new URL(project.dsn).origin : location.origin,
    org,
    project: project.slug,
  });
  return (
    <section className={styles.sourceMaps} id="source-maps" aria-label="Source maps">
      <h2>Source maps</h2>
      <p className={styles.note}>
        With them, minified frames become lines of your source. Any Sentry bundler plugin or sentry-cli uploads them.
      </p>
      <SourceMapsCheck project={project} />
      <fieldset className={styles.bundlers} aria-label="Bundler">
        {bundlers.map((each) => (
          <Button
            key={each.id}
            size="small"
            variant="ghost"
            aria-pressed={each.id === bundler}
            onClick={() => setChosen(each.id)}
          >
            {each.name}
          </Button>
        ))}
      </fieldset>
      <ol className={styles.steps}>
        <li className={styles.step}>
          <h3 className={styles.stepTitle}>
            <span className={styles.number}>1</span>
            Install
          </h3>
          <CodeBlock file="Terminal" code={install} language="sh" label="Install the plugin" />
        </li>
        <li className={styles.step}>
          <h3 className={styles.stepTitle}>
            <span className={styles.number}>2</span>
            Give the build a token
            <Button
              size="small"
              icon={<TokenIcon size={14} />}
              busy={token.isPending}
              disabled={token.isSuccess}
              className={styles.make}
              onClick={() => token.mutate()}
            >
              {token.isSuccess ? 'Token made' : 'Make a token'}
            </Button>
          </h3>
          <FormError error={token.error} />
          <CodeBlock
            file="Environment of the build"
            code={tokenLine(token.data?.token)}
            language="sh"
            label="Token of the build"
          />
          {token.data && (
            <p className={styles.note} role="status">
              Copy it now into the secrets of your CI: it is not stored and cannot be shown again.
              {token.data.expiresAt && ` It expires on ${localDay(Date.parse(token.data.expiresAt))}. ${reminder}`}
            </p>
          )}
        </li>
        <li className={styles.step}>
          <h3 className={styles.stepTitle}>
            <span className={styles.number}>3</span>
            {bundler === 'cli' ? 'Upload after each build' : 'Let each build upload'}
          </h3>
          <CodeBlock file={file} code={code} language={language} label="Upload with each build" />
        </li>
      </ol>
    </section>
  );
}
