import { throttles, withOwn } from '../../features/alerts/draft.ts';
import { span } from '../../features/alerts/words.ts';
import * as m from '../../messages/alerts.ts';
import { SelectField } from '../../ui/Field.tsx';
import { FieldRow } from '../../ui/Form.tsx';
import { Section } from '../../ui/Page.tsx';
import type { PartProps } from './RuleForm.tsx';

const digests = [0, 5, 15, 30, 60, 180, 720, 1440];

/** How a rule keeps from being noise. */
export function Frequency({ draft, problems, onChange }: PartProps) {
  const options = (usual: readonly number[], own: number, none: string) =>
    withOwn(usual, own).map((minutes) => (
      <option key={minutes} value={minutes}>
        {minutes === 0 ? none : span(minutes)}
      </option>
    ));
  return (
    <Section title={m.frequencyTitle}>
      <FieldRow>
        <SelectField
          label={m.throttle}
          hint={m.throttleHint}
          error={problems['throttle']}
          value={draft.throttleMinutes}
          onChange={(event) => onChange({ throttleMinutes: Number(event.target.value) })}
        >
          {options(throttles, draft.throttleMinutes, m.noThrottle)}
        </SelectField>
        <SelectField
          label={m.digestFor}
          hint={m.digestHint}
          error={problems['digest']}
          value={draft.digestMinutes}
          onChange={(event) => onChange({ digestMinutes: Number(event.target.value) })}
        >
          {options(digests, draft.digestMinutes, m.noGrouping)}
        </SelectField>
      </FieldRow>
    </Section>
  );
}
