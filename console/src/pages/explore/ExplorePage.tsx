import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useCommand } from '../../features/commands/commands.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { attributesOf, isDrawn } from '../../features/explore/choices.ts';
import { attributesQuery, countQuery, pageQuery, seriesQuery } from '../../features/explore/queries.ts';
import { questionOf } from '../../features/explore/question.ts';
import { answerKind, type ExploreEvent, reduce } from '../../features/explore/reduce.ts';
import { exploreRange } from '../../features/explore/request.ts';
import { useExact } from '../../features/explore/use-estimated.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/explore.ts';
import { lazily } from '../../ui/lazily.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { useTitle } from '../../ui/title.ts';
import { Answer } from './Answer.tsx';
import { QuestionBar } from './QuestionBar.tsx';
import { ValueMenuContext, type ChosenValue } from './value-menu.ts';

const ExportState = lazily(async () => (await import('./ExportState.tsx')).ExportState);
const NothingFound = lazily(async () => (await import('./NothingFound.tsx')).NothingFound);
const ValueMenu = lazily(async () => (await import('./ValueMenu.tsx')).ValueMenu);

const route = getRouteApi('/shell/explore');

/** Any question about errors and spans: over time, by groups, row by row, and one part against the rest. */
export function ExplorePage() {
  const org = useOrg();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const question = useMemo(() => questionOf(search), [search]);
  const { dataSet, groups, axes } = question;
  const isCompare = search.tab === 'compare';
  const asked = { series: seriesQuery(org, search), page: pageQuery(org, search), count: countQuery(org, search) };
  const series = useQuery(asked.series.first);
  const page = useQuery({ ...asked.page.first, enabled: !isCompare });
  const count = useQuery(asked.count.first);
  const estimates = {
    series: useExact(series, asked.series.exact),
    page: useExact(page, asked.page.exact, !isCompare),
    count: useExact(count, asked.count.exact),
  };
  const { data: projects } = useQuery(projectsQuery(org));
  const sent = useQuery(attributesQuery(org, search));
  const [menu, setMenu] = useState<ChosenValue>();
  const [exporting, setExporting] = useState<string>();
  const rows = useRef<HTMLDivElement>(null);
  useRowKeys(rows);
  useCommand('list.refresh', () => void queries.invalidateQueries({ queryKey: ['explore', org] }));
  useTitle(m.title, m.dataSets[dataSet], projects?.find((each) => each.slug === search.project)?.name);

  const drawn = useMemo(() => axes.filter((axis) => isDrawn(axis, dataSet)), [axes, dataSet]);
  const attributes = useMemo(
    () => attributesOf(dataSet, sent.data?.filter(({ kind }) => kind !== 'function') ?? []),
    [dataSet, sent.data],
  );
  const happen = (event: ExploreEvent): void => void navigate({ search: reduce(search, event) });
  const badQuery = [count.error, page.error, series.error].find(isAboutQuery);
  const kind = answerKind(badQuery, count.data?.count, count.isPlaceholderData);
  return (
    <ValueMenuContext value={setMenu}>
      <PageBar title={m.title}>
        <FilterBar fallbackRange={exploreRange} />
      </PageBar>
      <QuestionBar
        search={search}
        question={question}
        attributes={attributes}
        error={badQuery}
        happen={happen}
        onExport={setExporting}
      />
      {exporting && <ExportState key={exporting} id={exporting} onClose={() => setExporting(undefined)} />}
      {kind !== 'answer' ? (
        <NothingFound search={search} question={question} isValid={kind === 'nothing'} />
      ) : (
        <Answer
          search={search}
          question={question}
          drawn={drawn}
          attributes={attributes}
          series={series}
          page={page}
          count={count}
          estimates={estimates}
          list={rows}
          happen={happen}
          cancel={() => void queries.cancelQueries({ queryKey: ['explore', org] })}
        />
      )}
      {menu && (
        <ValueMenu
          key={`${menu.field} ${menu.text}`}
          chosen={menu}
          isGrouped={groups.includes(menu.field)}
          happen={happen}
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
