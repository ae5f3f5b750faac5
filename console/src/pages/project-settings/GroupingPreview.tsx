import { StartIcon, StopIcon } from '../../ui/icons.ts';
import { PreviewResult } from '../../features/grouping/PreviewResult.tsx';
import { progressWords } from '../../features/grouping/preview-words.ts';
import type { usePreview } from '../../features/grouping/use-preview.ts';
import * as m from '../../messages/grouping-rules.ts';
import { Button } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';

const periods = ['24h', '7d', '14d'] as const;

/** What the rules above would do to the issues that exist. Nothing is saved by it. */
export function GroupingPreview({
  preview: { preview, running, error, stop },
  outdated,
  changed,
  period,
  onPeriod,
  onStart,
}: {
  readonly preview: ReturnType<typeof usePreview>;
  /** Other rules or another period are chosen by now. */
  readonly outdated: boolean;
  readonly changed: boolean;
  readonly period: string;
  readonly onPeriod: (period: string) => void;
  readonly onStart: () => void;
}) {
  const progress = preview?.progress ?? 0;
  return (
    <Section title={m.preview} id="preview" note={m.previewHint}>
      <Inline>
        <InlineSelect label={m.period} value={period} onChange={(event) => onPeriod(event.target.value)}>
          {periods.map((each) => (
            <option key={each} value={each}>
              {m.periods[each]}
            </option>
          ))}
        </InlineSelect>
        {running ? (
          <Button icon={<StopIcon size={12} />} onClick={stop}>
            {m.cancel}
          </Button>
        ) : (
          <Button icon={<StartIcon size={12} />} onClick={onStart}>
            {m.start}
          </Button>
        )}
        {running && (
          <>
            <progress value={progress} max={1} aria-label={m.preview} />
            <Text>{progressWords(progress)}</Text>
          </>
        )}
      </Inline>
      {running ? null : preview?.status === 'failed' ? (
        <Notice tone="error" says="alert">
          {preview.detail ? m.previewFailed({ reason: preview.detail }) : m.previewFailedUnknown}
        </Notice>
      ) : preview?.result ? (
        <>
          {outdated && <Notice tone="warning">{m.outdated}</Notice>}
          <PreviewResult result={preview.result} />
        </>
      ) : (
        !error && (
          <Text as="p" tone="faint">
            {changed ? m.previewChanged : m.previewUnchanged}
          </Text>
        )
      )}
      <FormError error={error} />
    </Section>
  );
}
