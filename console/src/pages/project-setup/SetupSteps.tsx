import { CodeBlock } from '../../features/code/CodeBlock.tsx';
import { fill, type Extra, type SetupStep, type Target } from '../../features/projects/setup/template.ts';
import * as m from '../../messages/project-setup.ts';
import { Step } from './Steps.tsx';

/** Steps of a setup with the values of the project in their code. */
export function SetupSteps({
  steps,
  target,
  extras,
  level = 2,
  within,
}: {
  readonly steps: readonly SetupStep[];
  readonly target: Target;
  readonly extras: ReadonlySet<Extra>;
  readonly level?: 2 | 3;
  /** The part of the page, where several have such steps. */
  readonly within?: string;
}) {
  return steps.map(({ title, file, language, code }) => (
    <Step key={`${title} ${file}`} title={title} level={level}>
      <CodeBlock
        file={file ?? (language === 'sh' ? m.terminal : m.anyFile)}
        code={fill(code, target, extras)}
        language={language}
        label={[file ? m.inFile({ step: title, file }) : title, within].filter(Boolean).join(', ')}
      />
    </Step>
  ));
}
