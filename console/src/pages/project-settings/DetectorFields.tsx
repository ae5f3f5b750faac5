import { useId } from 'react';
import {
  troubleOf,
  unitOf,
  type Detector,
  type DetectorField,
  type Draft,
} from '../../features/problem/settings-form.ts';
import { Toggle } from '../../ui/Field.tsx';
import styles from './DetectorFields.module.css';

/** What follows from its name alone for two detectors of one title. */
const about: Readonly<Record<string, string>> = {
  nPlusOneDb: 'One query, then another one again for each of its rows.',
  mnPlusOneDb: 'The same, where each row needs several queries in turn.',
  consecutiveDb: 'Queries that wait for each other and need not.',
  slowDb: 'A single query that takes long.',
  nPlusOneApi: 'Many requests of a page that differ in a parameter only.',
  consecutiveHttp: 'Requests of a service that wait for each other and need not.',
  largePayload: 'Answers that are larger than they should be.',
  renderBlockingAsset: 'Large scripts and style sheets that keep a page from being painted.',
  uncompressedAsset: 'Scripts and style sheets that come without compression.',
  httpOverhead: 'Requests of a page that wait for a connection of HTTP/1.1.',
  fileIoOnMainThread: 'Reading or writing of files by the thread that draws, on phones.',
  dbOnMainThread: 'Queries by the thread that draws, on phones.',
  queryInjection: 'Queries that hold text of the request as it came.',
};

/** Where two detectors make issues of one title. */
const longer: Readonly<Record<string, string>> = { mnPlusOneDb: 'N+1 Query, several for each row' };

/** The switch of a detector and its thresholds. */
export function DetectorFields({
  detector: { name, title, fields },
  draft,
  defaults,
  onChange,
}: {
  readonly detector: Detector;
  readonly draft: Draft;
  readonly defaults: Draft;
  readonly onChange: (draft: Draft) => void;
}) {
  const label = longer[name] ?? title;
  return (
    <fieldset className={styles.detector} aria-label={`${label}: ${about[name] ?? name}`}>
      <Toggle
        label={label}
        hint={about[name]}
        checked={draft.enabled}
        onChange={(event) => onChange({ ...draft, enabled: event.target.checked })}
      />
      {draft.enabled && (
        <div className={styles.fields}>
          {fields.map((field) => (
            <Threshold
              key={field.key}
              field={field}
              text={draft.fields[field.key] ?? ''}
              usual={defaults.fields[field.key] ?? ''}
              onText={(text) => onChange({ ...draft, fields: { ...draft.fields, [field.key]: text } })}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

/** A number with its unit before the words that say what it is. */
function Threshold({
  field,
  text,
  usual,
  onText,
}: {
  readonly field: DetectorField;
  readonly text: string;
  readonly usual: string;
  readonly onText: (text: string) => void;
}) {
  const id = useId();
  const trouble = troubleOf(text, field);
  const unit = unitOf(field);
  return (
    <div className={styles.threshold}>
      <input
        id={id}
        className={styles.number}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        aria-invalid={trouble ? true : undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => onText(event.target.value)}
      />
      <label htmlFor={id} className={styles.label}>
        {unit && <span className={styles.unit}>{unit}</span>} {field.help}
      </label>
      {trouble ? (
        <p id={`${id}-note`} className={styles.trouble} role="alert">
          {trouble}
        </p>
      ) : (
        <p id={`${id}-note`} className={styles.usual}>
          default {usual} {unit}
        </p>
      )}
    </div>
  );
}
