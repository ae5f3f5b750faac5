import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TokenIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import type { Project } from '../../features/projects/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import {
  bundlers,
  tokenLine,
  uploadSnippet,
  usualBundler,
  type Bundler,
} from '../../features/source-maps/upload-snippets.ts';
import { useReminder } from '../../features/tokens/use-reminder.ts';
import { createToken } from '../../features/tokens/queries.ts';
import * as m from '../../messages/project-setup.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip, Chips } from '../../ui/Chip.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Page.tsx';
import { localDay } from '../../ui/relative-time.ts';
import { SourceMapsCheck } from './SourceMapsCheck.tsx';
import { Step, Steps } from './Steps.tsx';

/** How a build uploads its source maps, and whether the frames of the last event are resolved by now. */
export function SourceMaps({ project, platform }: { readonly project: Project; readonly platform: string }) {
  const org = useOrg();
  const mayCreate = useMay('org:ci');
  const queries = useQueryClient();
  const reminder = useReminder(org);
  const [chosen, setChosen] = useState<Bundler>();
  const bundler = chosen ?? usualBundler(platform);
  const token = useMutation({
    mutationFn: () => createToken(org, { name: m.tokenName({ project: project.slug }), kind: 'organization' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens', org] }),
  });
  const { install, file, language, code } = uploadSnippet(bundler, {
    url: project.dsn ? new URL(project.dsn).origin : location.origin,
    org,
    project: project.slug,
  });
  return (
    <Section title={m.sourceMaps} id="source-maps" note={m.sourceMapsHint}>
      <SourceMapsCheck project={project} />
      <Chips label={m.bundler}>
        {bundlers.map((each) => (
          <Chip key={each.id} aria-pressed={each.id === bundler} onClick={() => setChosen(each.id)}>
            <span translate="no">{each.name}</span>
          </Chip>
        ))}
      </Chips>
      <Steps>
        <Step level={3} title={bundler === 'cli' ? m.installCli : m.install}>
          <CodeBlock file={m.terminal} code={install} language="sh" label={m.install} />
        </Step>
        <Step
          level={3}
          title={m.token}
          end={
            mayCreate && (
              <Button
                size="small"
                icon={<TokenIcon size={14} />}
                busy={token.isPending}
                disabled={token.isSuccess}
                onClick={() => token.mutate()}
              >
                {token.isSuccess ? m.tokenCreated : m.createToken}
              </Button>
            )
          }
        >
          <FormError error={token.error} />
          <CodeBlock file={m.buildEnvironment} code={tokenLine(token.data?.token)} language="sh" label={m.token} />
          {token.data && (
            <Notice tone="ok" says="status">
              <p>{m.tokenOnce}</p>
              {token.data.expiresAt && (
                <p>{m.tokenExpires({ day: localDay(Date.parse(token.data.expiresAt)), reminder })}</p>
              )}
            </Notice>
          )}
        </Step>
        <Step level={3} title={bundler === 'cli' ? m.uploadCli : m.upload}>
          <CodeBlock file={file} code={code} language={language} label={m.upload} />
        </Step>
      </Steps>
    </Section>
  );
}
