import { throttles } from '../../features/alerts/draft.ts';
import { span } from '../../features/alerts/words.ts';
import { SelectField } from '../../ui/Field.tsx';
import { Section } from '../../ui/Page.tsx';
import type { PartProps } from './RuleForm.tsx';
import styles from './RulePage.module.css';

const digests = [0, 5, 15, 30, 60, 180, 720, 1440];

/** How a rule keeps from being noise. */
export function Frequency({ draft, problems, onChange }: PartProps) {
  const options = (usual: readonly number[], own: number, none: string) =>
    [...new Set([...usual, own])]
      .toSorted((a, b) => a - b)
      .map((minutes) => (
        <option key={minutes} value={minutes}>
          {minutes === 0 ? none : span(minutes)}
        </option>
      ));
  return (
    <Section title="How often">
      <div className={styles.fields}>
        <SelectField
          label="Of one issue once in"
          hint="Until then it is quiet about that issue."
          error={problems['throttle']}
          value={draft.throttleMinutes}
          onChange={(event) => onChange({ throttleMinutes: Number(event.target.value) })}
        >
          {options(throttles, draft.throttleMinutes, 'no limit')}
        </SelectField>
        <SelectField
          label="Gather what follows for"
          hint="After a message, and tell it in one."
          error={problems['digest']}
          value={draft.digestMinutes}
          onChange={(event) => onChange({ digestMinutes: Number(event.target.value) })}
        >
          {options(digests, draft.digestMinutes, 'nothing: a message each')}
        </SelectField>
      </div>
    </Section>
  );
}
