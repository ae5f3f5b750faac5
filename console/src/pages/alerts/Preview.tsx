import { lazy, Suspense, useMemo, useState } from 'react';
import * as words from '../../messages/alert-chart.ts';
import { metricChart, metricFormat, metricMeasure } from '../../features/alerts/chart.ts';
import { requestOf, type RuleDraft } from '../../features/alerts/draft.ts';
import type { AlertPreview } from '../../features/alerts/queries.ts';
import type { RulePreview } from '../../features/alerts/use-preview.ts';
import * as m from '../../messages/alerts.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { FiringTitle } from './FiringTitle.tsx';
import { PartNote } from './PartNote.tsx';
import { Severity } from './RuleState.tsx';
import styles from './RulePage.module.css';

const LineChart = lazy(() =>
  import('../../features/charts/LineChart.tsx').then((module) => ({ default: module.LineChart })),
);
const shownAtFirst = 8;
const chartHeight = 180;

/** How often the rule would have fired in the last week, and for what. It follows what is written. */
export function Preview({
  draft,
  preview: { found, progress, error, stop, retry },
  canTry,
  isPlaced,
  onThreshold,
}: {
  readonly draft: RuleDraft;
  readonly preview: RulePreview;
  readonly canTry: boolean;
  /** What was refused is marked at its field. */
  readonly isPlaced: boolean;
  readonly onThreshold: (threshold: number) => void;
}) {
  const isOld = progress !== undefined || !canTry || error != null;
  return (
    <section className={styles.preview} aria-label={m.preview} aria-busy={progress !== undefined}>
      <h2>{m.previewTitle}</h2>
      {progress !== undefined && (
        <div className={styles.progress}>
          <progress value={progress} max={1} aria-label={m.previewRunning} />
          <Button size="small" variant="ghost" onClick={stop}>
            {m.cancel}
          </Button>
        </div>
      )}
      {!canTry ? (
        <PartNote>{m.previewWaits}</PartNote>
      ) : error != null && isPlaced ? (
        <PartNote>{m.previewWaitsForFix}</PartNote>
      ) : error != null ? (
        <ErrorState error={error} retry={retry} what={m.previewFailed} />
      ) : (
        !found &&
        (progress === undefined ? (
          <Button size="small" onClick={retry}>
            {m.runPreview}
          </Button>
        ) : (
          <Skeleton rows={3} height={32} label={m.previewRunning} />
        ))
      )}
      {found && (
        <div className={styles.found} data-old={isOld || undefined}>
          <output className={styles.verdict} data-many={found.tooMany !== null || undefined}>
            <span translate="no">{found.verdict}</span>
          </output>
          {found.tooMany?.suggestedThreshold != null && !isOld && (
            <Button size="small" onClick={() => onThreshold(found.tooMany?.suggestedThreshold ?? 0)}>
              {m.applyThreshold({ threshold: exactNumber(found.tooMany.suggestedThreshold) })}
            </Button>
          )}
          {draft.kind === 'metric' && found.series.length > 1 && <Chart draft={draft} found={found} />}
          {found.firings.length > 0 && <Firings key={found.id} found={found} />}
        </div>
      )}
    </section>
  );
}

function Chart({ draft, found }: { readonly draft: RuleDraft; readonly found: AlertPreview }) {
  const request = requestOf(draft);
  const metric = request.kind === 'metric' ? request.metric : undefined;
  const asked = JSON.stringify(metric);
  // Drawn anew when something of it changed, not at each key.
  const chart = useMemo(() => {
    if (asked === undefined) return undefined;
    const parsed = JSON.parse(asked) as NonNullable<typeof metric>;
    const made = metricChart(found, parsed);
    return made && { ...made, format: metricFormat(parsed), measure: metricMeasure(parsed) };
  }, [asked, found]);
  if (!chart) return null;
  return (
    <Suspense fallback={<Skeleton height={chartHeight} label={words.loadingChart} />}>
      {/* Its title and its line are named by data. */}
      <div translate="no">
        <LineChart
          title={metric?.comparison.type === 'change' ? words.changePercent : (metric?.aggregate ?? '')}
          times={chart.times}
          bucketSeconds={chart.bucketSeconds}
          series={chart.series}
          thresholds={chart.thresholds}
          format={chart.format}
          height={chartHeight}
          least={chart.measure === 'number' ? 0.01 : 1}
          measure={chart.measure}
        />
      </div>
    </Suspense>
  );
}

function Firings({ found: { firings, count } }: { readonly found: AlertPreview }) {
  const [all, setAll] = useState(false);
  const shown = all ? firings : firings.slice(0, shownAtFirst);
  return (
    <>
      <DataList open compact label={m.wouldHaveFired}>
        {shown.map((firing, index) => (
          <PreviewRow key={index} firing={firing} />
        ))}
      </DataList>
      {firings.length > shown.length && (
        <Button size="small" variant="ghost" onClick={() => setAll(true)}>
          {count > firings.length
            ? m.showSome({ shown: exactNumber(firings.length), count: exactNumber(count) })
            : m.showAll({ count: exactNumber(firings.length) })}
        </Button>
      )}
    </>
  );
}

export function PreviewRow({ firing }: { readonly firing: AlertPreview['firings'][number] }) {
  const { at, severity, why, issue } = firing;
  return (
    <DataRow
      lead={<Severity severity={severity} />}
      title={<FiringTitle firing={firing} />}
      facts={
        issue && (
          <Text tone="faint" small>
            <span translate="no">{why}</span>
          </Text>
        )
      }
      end={<Time at={at} />}
    />
  );
}
