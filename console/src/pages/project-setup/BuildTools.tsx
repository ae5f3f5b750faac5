import { useState } from 'react';
import type { BuildTool } from '../../features/projects/setup/release-snippets.ts';
import type { Target } from '../../features/projects/setup/template.ts';
import * as m from '../../messages/project-setup.ts';
import { Chip, Chips } from '../../ui/Chip.tsx';
import { Section } from '../../ui/Page.tsx';
import { SetupSteps } from './SetupSteps.tsx';
import { Steps } from './Steps.tsx';
import { TokenStep } from './TokenStep.tsx';
import type { BuildToken } from './use-build-token.ts';

const none = new Set<never>();

/** What a build does besides building, by the tool that does it. */
export function BuildTools({
  title,
  note,
  id,
  tools,
  target,
  token,
}: {
  readonly title: string;
  readonly note: string;
  readonly id: string;
  readonly tools: readonly BuildTool[];
  readonly target: Target;
  readonly token: BuildToken;
}) {
  const [chosen, setChosen] = useState<string>();
  const tool = tools.find(({ name }) => name === chosen) ?? tools[0];
  return (
    <Section title={title} id={id} note={note}>
      <Chips label={m.buildTool({ of: title })}>
        {tools.map(({ name }) => (
          <Chip key={name} aria-pressed={name === tool?.name} onClick={() => setChosen(name)}>
            <span translate="no">{name}</span>
          </Chip>
        ))}
      </Chips>
      <Steps>
        <TokenStep token={token} within={title} />
        <SetupSteps steps={tool?.steps ?? []} target={target} extras={none} level={3} within={title} />
      </Steps>
    </Section>
  );
}
