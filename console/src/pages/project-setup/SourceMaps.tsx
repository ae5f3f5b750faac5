import { useState } from 'react';
import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { bundlers, uploadSnippet, usualBundler, type Bundler } from '../../features/source-maps/upload-snippets.ts';
import * as m from '../../messages/project-setup.ts';
import { Chip, Chips } from '../../ui/Chip.tsx';
import { Section } from '../../ui/Page.tsx';
import { SourceMapsCheck } from './SourceMapsCheck.tsx';
import { Step, Steps } from './Steps.tsx';
import { TokenStep } from './TokenStep.tsx';
import type { BuildToken } from './use-build-token.ts';

/** How a build uploads its source maps, and whether the frames of the last event are resolved by now. */
export function SourceMaps({
  project,
  platform,
  token,
}: {
  readonly project: Project;
  readonly platform: string;
  readonly token: BuildToken;
}) {
  const org = useOrg();
  const [chosen, setChosen] = useState<Bundler>();
  const bundler = chosen ?? usualBundler(platform);
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
        <TokenStep token={token} within={m.sourceMaps} />
        <Step level={3} title={bundler === 'cli' ? m.uploadCli : m.upload}>
          <CodeBlock file={file} code={code} language={language} label={m.upload} />
        </Step>
      </Steps>
    </Section>
  );
}
