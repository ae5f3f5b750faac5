import { StartIcon, StopIcon } from '../../ui/icons.ts';
import { PreviewResult } from '../../features/grouping/PreviewResult.tsx';
import { progressWords } from '../../features/grouping/preview-words.ts';
import type { usePreview } from '../../features/grouping/use-preview.ts';
import { Button } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import styles from './GroupingPreview.module.css';

const periods = [
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '14d', label: 'Last 14 days' },
] as const;

/** What the rules above would do to the issues that there are. Nothing is saved by looking. */
export function GroupingPreview({
  preview: { preview, running, error, stop },
  outdated,
  changed,
  period,
  onPeriod,
  onStart,
}: {
  readonly preview: ReturnType<typeof usePreview>;
  /** Other rules or another time are chosen by now. */
  readonly outdated: boolean;
  readonly changed: boolean;
  readonly period: string;
  readonly onPeriod: (period: string) => void;
  readonly onStart: () => void;
}) {
  const progress = preview?.progress ?? 0;
  return (
    <Section
      title="Preview"
      id="preview"
      note="Groups stored events anew with the rules above and tells which issues would merge and split. Nothing is saved."
    >
      <div className={styles.tools}>
        <InlineSelect label="Events of" value={period} onChange={(event) => onPeriod(event.target.value)}>
          {periods.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </InlineSelect>
        {running ? (
          <Button icon={<StopIcon size={12} />} onClick={stop}>
            Cancel
          </Button>
        ) : (
          <Button icon={<StartIcon size={12} />} onClick={onStart}>
            Preview
          </Button>
        )}
      </div>
      <div className={styles.answer} aria-busy={running}>
        {running ? (
          <div className={styles.running}>
            <progress value={progress} max={1} aria-label="Preview" />
            <span>{progressWords(progress)}</span>
          </div>
        ) : preview?.status === 'failed' ? (
          <p role="alert" className={styles.failed}>
            The preview failed: {preview.detail || 'no reason given'}
          </p>
        ) : preview?.result ? (
          <>
            {outdated && (
              <p className={styles.outdated}>The rules or the time were changed since; preview them again.</p>
            )}
            <PreviewResult result={preview.result} />
          </>
        ) : (
          !error && (
            <p className={styles.none}>
              {changed
                ? 'Preview shows what your changes would do, before they are saved.'
                : 'Change a rule to see what it would do.'}
            </p>
          )
        )}
        <FormError error={error} />
      </div>
    </Section>
  );
}
