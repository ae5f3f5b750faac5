import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { NotFoundIcon } from '../../ui/icons.ts';
import type { Question } from '../../features/explore/question.ts';
import { fullCountQuery } from '../../features/explore/queries.ts';
import { exploreRange } from '../../features/explore/request.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { rowCount } from '../../features/explore/table.ts';
import { removable } from '../../features/explore/terms.ts';
import { lasting, rangeLabel } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import { NoSpans } from '../../features/performance/NoSpans.tsx';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/explore-nothing.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { ChipText, chipClass } from '../../ui/Chip.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { EmptyState } from '../../ui/State.tsx';
import { exactly } from '../../features/explore/exactly.ts';
import styles from './ExplorePage.module.css';

const longest = '90d';

/** Why there is nothing: nothing was ever sent, nothing in this time, or nothing that fulfils the query. */
export function NothingFound({ search, question }: { readonly search: ExploreSearch; readonly question: Question }) {
  const org = useOrg();
  const { dataSet } = question;
  const { dataset, project } = search;
  const ever = useQuery(fullCountQuery(org, { dataset, project, range: longest }));
  const filters = [
    ...removable(question.query, dataSet).map(({ text, without }) => ({
      key: text,
      text,
      without: { ...search, cursor: undefined, query: without || undefined },
    })),
    ...(search.environment
      ? [
          {
            key: 'environment',
            text: m.environmentFilter({ name: search.environment }),
            without: chosen(search, { environment: undefined }),
          },
        ]
      : []),
  ];
  const counts = useQueries({
    queries: filters.map(({ without }) => fullCountQuery(org, without)),
  });
  if (ever.data?.count === 0)
    return dataSet === 'errors' ? (
      <EmptyState title={m.noErrorsTitle} icon={<NotFoundIcon size={24} />}>
        <p>{m.noErrorsHint}</p>
        <Link to="/projects" className={buttonClass('primary')}>
          {m.showProjects}
        </Link>
      </EmptyState>
    ) : (
      <NoSpans project={search.project} kind={dataSet === 'spans' ? 'span' : 'transaction'} />
    );
  const longer = (
    <Link
      from="/explore"
      to="."
      search={(before) => chosen(before, lasting(longest))}
      className={buttonClass(filters.length ? 'normal' : 'primary')}
    >
      {m.showLongest}
    </Link>
  );
  return (
    <QueryView query={ever} loading={m.searching} failed={m.rowsFailed} height={36}>
      {() =>
        filters.length ? (
          <EmptyState title={m.noMatch[dataSet]} icon={<NotFoundIcon size={24} />}>
            <ul className={styles.without} aria-label={m.emptyFilters}>
              {filters.map(({ key, text, without }, index) => {
                const count = counts[index]?.data?.count;
                return (
                  <li key={key}>
                    <Link
                      from="/explore"
                      to="."
                      search={without}
                      className={chipClass}
                      activeOptions={exactly}
                      aria-label={m.remove({ name: text })}
                    >
                      <ChipText removes>
                        <code>{text}</code>
                      </ChipText>
                    </Link>
                    {count !== undefined && m.withoutIt({ rows: rowCount(dataSet, count) })}
                  </li>
                );
              })}
            </ul>
            {longer}
          </EmptyState>
        ) : (
          <EmptyState
            title={m.noneInTime[dataSet]({ range: rangeLabel(search, exploreRange) })}
            icon={<NotFoundIcon size={24} />}
          >
            <p>{m.earlierOnes}</p>
            {longer}
          </EmptyState>
        )
      }
    </QueryView>
  );
}
