import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type RefObject, Suspense, useMemo } from 'react';
import type { Attribute } from '../../features/explore/choices.ts';
import { strokesOf } from '../../features/explore/colours.ts';
import { dataSets } from '../../features/explore/data-sets.ts';
import { shareOf } from '../../features/explore/estimate.ts';
import { exactly } from '../../features/explore/exactly.ts';
import type { ExploreCount, ExplorePage, ExploreSeries } from '../../features/explore/queries.ts';
import { maxFields, selectionOf, type Question } from '../../features/explore/question.ts';
import type { ExploreEvent } from '../../features/explore/reduce.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { exploreRange } from '../../features/explore/request.ts';
import { chartsOf } from '../../features/explore/series.ts';
import { answerSentence, tableRows } from '../../features/explore/table.ts';
import type { EstimateState } from '../../features/explore/use-estimated.ts';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import * as m from '../../messages/explore.ts';
import { lazily } from '../../ui/lazily.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Skeleton } from '../../ui/State.tsx';
import { tabClass, Tabs } from '../../ui/Tabs.tsx';
import { Columns } from './Columns.tsx';
import styles from './ExplorePage.module.css';
import { Groups } from './Groups.tsx';

// What does not show at first is loaded with the answers; charts, so that the table needs not wait for what draws them.
const Charts = lazy(async () => ({ default: (await import('./Charts.tsx')).Charts }));
const Compare = lazy(async () => ({ default: (await import('./Compare.tsx')).Compare }));
const Samples = lazy(async () => ({ default: (await import('./Samples.tsx')).Samples }));
const Selection = lazily(async () => (await import('./Selection.tsx')).Selection);
const Estimated = lazily(async () => (await import('./Estimated.tsx')).Estimated);

const tabs = [
  { value: undefined, label: m.tabs.groups },
  { value: 'samples', label: m.tabs.samples },
  { value: 'compare', label: m.tabs.compare },
] as const;

interface Props {
  readonly search: ExploreSearch;
  readonly question: Question;
  /** Aggregates that can be drawn. */
  readonly drawn: readonly string[];
  readonly attributes: readonly Attribute[];
  readonly series: UseQueryResult<ExploreSeries>;
  readonly page: UseQueryResult<ExplorePage>;
  readonly count: UseQueryResult<ExploreCount>;
  readonly estimates: Readonly<Record<'series' | 'page' | 'count', EstimateState | undefined>>;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly happen: (event: ExploreEvent) => void;
  readonly cancel: () => void;
}

/** Charts, and below them groups, samples, or what differs in a part. */
export function Answer(props: Props) {
  const { search, question, drawn, attributes, series, page, count, estimates, list, happen, cancel } = props;
  const { dataSet, groups, fields } = question;
  const stored = count.data?.count;
  const represents = count.data?.represents;
  const total = search.tab === 'samples' ? stored : (represents?.count ?? stored);
  const brush = (startMs: number, endMs: number): void => happen({ type: 'brushed', startMs, endMs });
  const strokes = useMemo(() => {
    const [chart] = chartsOf(series.data?.timeSeries ?? [], drawn.slice(0, 1));
    return strokesOf(chart?.lines.flatMap(({ group }) => (group === undefined ? [] : [group])) ?? []);
  }, [series.data, drawn]);
  const rowsToCome = <Skeleton rows={10} height={36} label={m.loadingRows} />;
  const chartsToCome = (
    <div className={styles.charts} data-count={drawn.length} aria-hidden="true">
      <Skeleton rows={1} height={210} label={m.loadingCharts} />
    </div>
  );
  return (
    <>
      {drawn.length > 0 && (
        <QueryView
          query={series}
          loading={m.loadingCharts}
          failed={m.chartsFailed}
          skeleton={chartsToCome}
          cancel={cancel}
        >
          {(data) => (
            <Suspense fallback={chartsToCome}>
              <Charts
                series={data.timeSeries}
                axes={drawn}
                isGrouped={groups.length > 0}
                selection={selectionOf(search)}
                busy={series.isFetching}
                estimable={shareOf(data) !== undefined || data.wasEstimated === true}
                filters={search}
                fallbackRange={exploreRange}
                onSelect={brush}
              />
            </Suspense>
          )}
        </QueryView>
      )}
      {(selectionOf(search) ?? search.subset) && <Selection search={search} />}
      <div className={styles.head}>
        <Tabs label={m.answer}>
          {tabs.map(({ value, label }) => (
            <Link
              key={label}
              from="/explore"
              to="."
              search={(before) => ({ ...before, cursor: undefined, sort: undefined, tab: value })}
              className={tabClass}
              activeOptions={exactly}
              aria-current={search.tab === value ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
        </Tabs>
        <output className={styles.hits}>
          {answerSentence(
            search.tab === undefined && groups.length > 0 ? page.data?.rows.length : undefined,
            page.data?.next !== undefined,
            total,
            dataSet,
            estimates.count !== undefined || (total !== stored && represents?.interval !== null),
          )}
        </output>
        <Estimated
          estimates={Object.values(estimates).filter((one) => one !== undefined)}
          wasEstimated={[series, page, count].some(
            ({ data, isPlaceholderData }) => !isPlaceholderData && data?.wasEstimated,
          )}
          dataSet={dataSet}
        />
      </div>
      {search.tab === 'samples' && (
        <div className={styles.columns}>
          <Columns
            label={m.columns}
            addLabel={m.addColumn}
            chosen={fields}
            attributes={attributes}
            first={dataSets[dataSet].fields}
            most={maxFields}
            onChange={(next) => happen({ type: 'columned', fields: next })}
          />
        </div>
      )}
      {search.tab === 'compare' ? (
        <Suspense fallback={rowsToCome}>
          <Compare search={search} question={question} onPart={brush} />
        </Suspense>
      ) : (
        <div ref={list}>
          <QueryView
            query={page}
            loading={m.loadingRows}
            failed={m.rowsFailed}
            skeleton={rowsToCome}
            cancel={cancel}
            isEmpty={() => false}
          >
            {(data) =>
              search.tab === 'samples' ? (
                <Suspense fallback={rowsToCome}>
                  <Samples rows={data.rows} meta={data.meta} question={question} search={search} />
                </Suspense>
              ) : (
                <div className={styles.groups}>
                  <Groups
                    rows={tableRows(
                      data.rows,
                      data.meta,
                      question,
                      total,
                      (data.meta.sampling ?? data.meta.estimated)?.intervals,
                    )}
                    question={question}
                    search={search}
                    strokes={strokes}
                    hasErrors={(data.meta.sampling ?? data.meta.estimated) !== undefined || data.wasEstimated === true}
                  />
                </div>
              )
            }
          </QueryView>
          <PageLinks list="/explore" cursors={page.data} cursor={search.cursor} />
        </div>
      )}
    </>
  );
}
