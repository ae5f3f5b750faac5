import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { NotFoundIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useCommand } from '../../features/commands/commands.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { attributesOf, isDrawn } from '../../features/explore/choices.ts';
import { strokesOf } from '../../features/explore/colours.ts';
import { dataSets } from '../../features/explore/data-sets.ts';
import { attributesQuery, countQuery, pageQuery, seriesQuery } from '../../features/explore/queries.ts';
import {
  groupedBy,
  maxFields,
  maxGroups,
  questionOf,
  selectionOf,
  withAxes,
  withFields,
  withGroups,
  withQuery,
  withSelection,
  withSubset,
} from '../../features/explore/question.ts';
import { shareOf } from '../../features/explore/estimate.ts';
import { exploreRange } from '../../features/explore/request.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { chartsOf } from '../../features/explore/series.ts';
import { answerSentence, tableRows } from '../../features/explore/table.ts';
import { valueTerm, withTerm } from '../../features/explore/terms.ts';
import { useExact } from '../../features/explore/use-estimated.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { projectsQuery } from '../../features/projects/queries.ts';
import { SearchBox } from '../../features/search-box/SearchBox.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { PageBar } from '../../ui/Page.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { Aggregates } from './Aggregates.tsx';
import { Columns } from './Columns.tsx';
import { DataSets } from './DataSets.tsx';
import { Estimated } from './Estimated.tsx';
import { exactly } from '../../features/explore/exactly.ts';
import styles from './ExplorePage.module.css';
import { Groups } from './Groups.tsx';
import questionStyles from './Question.module.css';
import { Selection } from './Selection.tsx';
import { Take } from './Take.tsx';
import { ValueMenuContext, type ChosenValue } from './value-menu.ts';
import { ValueMenu } from './ValueMenu.tsx';

// What is not there at first comes beside the answers; charts, so that the table needs not wait for what draws them.
const Charts = lazy(() => import('./Charts.tsx').then((module) => ({ default: module.Charts })));
const Compare = lazy(() => import('./Compare.tsx').then((module) => ({ default: module.Compare })));
const ExportState = lazy(() => import('./ExportState.tsx').then((module) => ({ default: module.ExportState })));
const NothingFound = lazy(() => import('./NothingFound.tsx').then((module) => ({ default: module.NothingFound })));
const Samples = lazy(() => import('./Samples.tsx').then((module) => ({ default: module.Samples })));
const Saved = lazy(() => import('./Saved.tsx').then((module) => ({ default: module.Saved })));

const route = getRouteApi('/shell/explore');

const tabs = [
  { value: undefined, label: 'Groups' },
  { value: 'samples', label: 'Samples' },
  { value: 'compare', label: 'Compare' },
] as const;

/** Any question about errors and spans: over time, by groups, row by row, and one part against the rest. */
export function ExplorePage() {
  const org = useOrg();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const question = useMemo(() => questionOf(search), [search]);
  const { dataSet, query, groups, axes, fields } = question;
  const isSamples = search.tab === 'samples';
  const isCompare = search.tab === 'compare';
  const asked = {
    series: seriesQuery(org, search),
    page: pageQuery(org, search),
    count: countQuery(org, search),
  };
  const series = useQuery(asked.series.first);
  const page = useQuery({ ...asked.page.first, enabled: !isCompare });
  const count = useQuery(asked.count.first);
  const estimated = {
    series: useExact(series, asked.series.exact),
    page: useExact(page, asked.page.exact, !isCompare),
    count: useExact(count, asked.count.exact),
  };
  const { data: projects } = useQuery(projectsQuery(org));
  const sent = useQuery(attributesQuery(org, search));
  const [menu, setMenu] = useState<ChosenValue>();
  const [exporting, setExporting] = useState<string>();
  const list = useRef<HTMLTableSectionElement>(null);
  useRowKeys(list);
  useCommand('list.refresh', () => void queries.invalidateQueries({ queryKey: ['explore', org] }));
  const drawn = useMemo(() => axes.filter((axis) => isDrawn(axis, dataSet)), [axes, dataSet]);
  const project = projects?.find((each) => each.slug === search.project);
  const facts = dataSets[dataSet];
  useTitle('Explore', facts.label, project?.name);

  const attributes = useMemo(
    () => attributesOf(dataSet, sent.data?.filter(({ kind }) => kind !== 'function') ?? []),
    [dataSet, sent.data],
  );
  const strokes = useMemo(() => {
    const [chart] = chartsOf(series.data?.timeSeries ?? [], drawn.slice(0, 1));
    return strokesOf(chart?.lines.flatMap(({ group }) => (group === undefined ? [] : [group])) ?? []);
  }, [series.data, drawn]);
  const go = (next: ExploreSearch): void => void navigate({ search: next });
  const brush = (startMs: number, endMs: number): void => go(withSelection(search, startMs, endMs));

  const inQuery = [count.error, page.error, series.error].find(isAboutQuery);
  const isEmpty = count.data?.count === 0 && !count.isPlaceholderData;
  const total = count.data?.count;
  const estimates = [estimated.series, estimated.page, estimated.count].filter((one) => one !== undefined);
  const { sampling } = page.data?.meta ?? {};
  const showsGroups = search.tab === undefined && groups.length > 0;

  const rowsToCome = <Skeleton rows={10} height={36} label="Loading rows" />;
  const chartsToCome = (
    <div className={styles.charts} data-count={drawn.length} aria-hidden="true">
      <Skeleton rows={1} height={210} label="Loading charts" />
    </div>
  );
  return (
    <ValueMenuContext value={setMenu}>
      <PageBar title="Explore">
        <FilterBar fallbackRange={exploreRange} />
      </PageBar>
      <div className={questionStyles.top}>
        <DataSets search={search} current={dataSet} />
        <div className={questionStyles.search}>
          <SearchBox
            value={query}
            dataSet={facts.keys}
            error={inQuery}
            onSearch={(next) => go(withQuery(search, next))}
            label={`Search ${facts.label.toLowerCase()}`}
            placeholder={
              dataSet === 'errors'
                ? 'Words, level:error, release:4f2c1'
                : 'span.op:db, span.duration:>1s, release:4f2c1'
            }
          />
        </div>
        <Suspense fallback={<span className={questionStyles.saved} />}>
          <Saved search={search} />
        </Suspense>
        <Take search={search} onExport={setExporting} />
      </div>
      <div className={questionStyles.shape}>
        <Aggregates
          dataSet={dataSet}
          axes={axes}
          attributes={attributes}
          onAxes={(next) => go(withAxes(search, next))}
        />
        <Columns
          label="Group by"
          noun="attribute"
          chosen={groups}
          attributes={attributes}
          first={facts.groups}
          most={maxGroups}
          onChange={(next) => go(withGroups(search, next))}
        />
      </div>
      <Suspense>
        {exporting && <ExportState key={exporting} id={exporting} onClose={() => setExporting(undefined)} />}
      </Suspense>
      <BusyBar
        busy={(series.isFetching && series.data !== undefined) || (page.isFetching && page.data !== undefined)}
        cancel={() => void queries.cancelQueries({ queryKey: ['explore', org] })}
      />
      {inQuery ? (
        <EmptyState title="This search could not be understood" icon={<NotFoundIcon size={24} />}>
          <p>What is wrong stands under the search box. Nothing was left out silently.</p>
        </EmptyState>
      ) : isEmpty ? (
        <Suspense>
          <NothingFound search={search} question={question} />
        </Suspense>
      ) : (
        <>
          {drawn.length === 0 ? null : series.isPending ? (
            chartsToCome
          ) : series.isError && !series.data ? (
            <ErrorState
              error={series.error}
              retry={() => void series.refetch()}
              what="The charts could not be loaded"
            />
          ) : (
            <Suspense fallback={chartsToCome}>
              <Charts
                series={series.data.timeSeries}
                axes={drawn}
                isGrouped={groups.length > 0}
                selection={selectionOf(search)}
                busy={series.isFetching}
                estimable={shareOf(series.data) !== undefined || series.data.wasEstimated === true}
                onSelect={brush}
              />
            </Suspense>
          )}
          <Selection search={search} />
          <div className={styles.head}>
            <nav className={styles.tabs} aria-label="Answer">
              {tabs.map(({ value, label }) => (
                <Link
                  key={label}
                  from="/explore"
                  to="."
                  search={(before) => ({ ...before, cursor: undefined, sort: undefined, tab: value })}
                  className={styles.tab}
                  activeOptions={exactly}
                  aria-current={search.tab === value ? 'page' : undefined}
                >
                  {label}
                </Link>
              ))}
            </nav>
            <output className={styles.hits}>
              {answerSentence(
                showsGroups ? page.data?.rows.length : undefined,
                page.data?.next !== undefined,
                total,
                facts.noun,
                estimated.count !== undefined,
              )}
            </output>
            <Estimated
              estimates={estimates}
              wasEstimated={[series, page, count].some(
                ({ data, isPlaceholderData }) => !isPlaceholderData && data?.wasEstimated,
              )}
              noun={facts.noun}
            />
          </div>
          {isSamples && (
            <div className={styles.columns}>
              <Columns
                label="Columns"
                noun="column"
                chosen={fields}
                attributes={attributes}
                first={facts.fields}
                most={maxFields}
                onChange={(next) => go(withFields(search, next))}
              />
            </div>
          )}
          <Suspense fallback={rowsToCome}>
            {isCompare ? (
              <Compare search={search} question={question} onPart={brush} />
            ) : page.isPending ? (
              rowsToCome
            ) : page.isError && !page.data ? (
              <ErrorState error={page.error} retry={() => void page.refetch()} what="The rows could not be loaded" />
            ) : isSamples ? (
              <Samples
                rows={page.data.rows}
                meta={page.data.meta}
                question={question}
                search={search}
                list={list}
                busy={page.isFetching}
              />
            ) : (
              <Groups
                rows={tableRows(page.data.rows, page.data.meta, question, total, sampling?.intervals)}
                question={question}
                search={search}
                strokes={strokes}
                list={list}
                busy={page.isFetching}
                hasErrors={sampling !== undefined || page.data.wasEstimated === true}
              />
            )}
          </Suspense>
          {!isCompare && <PageLinks list="/explore" cursors={page.data} cursor={search.cursor} />}
        </>
      )}
      {menu && (
        <ValueMenu
          key={`${menu.field} ${menu.text}`}
          chosen={menu}
          onGroup={groups.includes(menu.field) ? undefined : () => go(groupedBy(search, menu.field))}
          onFilter={(negated) =>
            go(withQuery(search, withTerm(query, valueTerm(menu.field, menu.value, negated), dataSet)))
          }
          onCompare={() => go(withSubset(search, valueTerm(menu.field, menu.value)))}
          onClose={() => setMenu(undefined)}
        />
      )}
    </ValueMenuContext>
  );
}

/** A column can be refused just as the query can; only the latter is marked in the search box. */
const isAboutQuery = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 'QUERY_INVALID' &&
  error.problems.every(({ parameter = 'query' }) => parameter === 'query');
