import { troubleOf, unitOf, type Detector, type Drafts } from '../../features/problem/settings-form.ts';
import { thresholds } from '../../messages/detectors.ts';
import * as m from '../../messages/project-settings.ts';
import { TextField, Toggle } from '../../ui/Field.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { exactNumber, withUnit } from '../../ui/numbers.ts';
import type { KitForm } from '../../ui/use-form.ts';
import styles from './DetectorFields.module.css';

const about: Readonly<Record<string, string>> = m.detectors;

/** What a detector of a newer server is called comes from there. */
const titles: Readonly<Record<string, string>> = m.detectorTitles;
const labels: Readonly<Record<string, string>> = thresholds;

/** The switch of a detector and its thresholds. */
export function DetectorFields({
  detector: { name, title, fields },
  form,
  defaults,
}: {
  readonly detector: Detector;
  readonly form: KitForm<Drafts>;
  /** Of its fields, as they are shown. */
  readonly defaults: Readonly<Record<string, string>>;
}) {
  const label = titles[name] ?? title;
  const hint = about[name];
  return (
    <fieldset aria-label={label}>
      <Stack gap={8}>
        <Toggle label={label} hint={hint} {...form.field(`${name}.enabled`)} />
        {form.watch(`${name}.enabled`) && (
          <div className={styles.fields}>
            {fields.map((field) => {
              const unit = unitOf(field);
              const threshold = labels[`${name}.${field.key}`] ?? field.help;
              const usual = exactNumber(Number(defaults[field.key] ?? 0));
              return (
                <TextField
                  key={field.key}
                  label={unit ? m.withUnit({ label: threshold, unit }) : threshold}
                  hint={m.usual({ value: unit === '%' || !unit ? `${usual}${unit}` : withUnit(usual, unit) })}
                  inputMode="decimal"
                  autoComplete="off"
                  {...form.field(`${name}.fields.${field.key}`, {
                    validate: (text) => troubleOf(String(text), field) ?? true,
                  })}
                />
              );
            })}
          </div>
        )}
      </Stack>
    </fieldset>
  );
}
