import { troubleOf, unitOf, type Detector, type Drafts } from '../../features/problem/settings-form.ts';
import * as m from '../../messages/project-settings.ts';
import { TextField, Toggle } from '../../ui/Field.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { exactNumber, withUnit } from '../../ui/numbers.ts';
import type { KitForm } from '../../ui/use-form.ts';
import styles from './DetectorFields.module.css';

const about: Readonly<Record<string, string>> = m.detectors;

/** The switch of a detector and its thresholds. What these are called comes from the server. */
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
  // Two detectors have issues of one title.
  const label = name === 'mnPlusOneDb' ? m.severalQueries : title;
  const hint = about[name];
  return (
    <fieldset aria-label={`${label}: ${hint ?? name}`} translate="no">
      <Stack gap={8}>
        <Toggle label={label} hint={hint} {...form.field(`${name}.enabled`)} />
        {form.watch(`${name}.enabled`) && (
          <div className={styles.fields}>
            {fields.map((field) => {
              const unit = unitOf(field);
              const usual = exactNumber(Number(defaults[field.key] ?? 0));
              return (
                <TextField
                  key={field.key}
                  label={`${field.help.charAt(0).toUpperCase()}${field.help.slice(1)}${unit && ` (${unit})`}`}
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
