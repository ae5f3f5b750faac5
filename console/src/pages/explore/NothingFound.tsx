import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Question } from '../../features/explore/question.ts';
import { fullCountQuery } from '../../features/explore/queries.ts';
import { exploreRange } from '../../features/explore/request.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { rowCount } from '../../features/explore/table.ts';
import { removable } from '../../features/explore/terms.ts';
import { rangeLabel } from '../../features/filters/range-words.ts';
import { chosen } from '../../features/filters/travel.ts';
import { longestRange } from '../../features/filters/widen.ts';
import { NoSpans } from '../../features/performance/NoSpans.tsx';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/explore-nothing.ts';
import { chipClass, Chips, ChipText } from '../../ui/Chip.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { exactly } from '../../features/explore/exactly.ts';
import * as empty from './empty.ts';

interface Props {
  readonly search: ExploreSearch;
  readonly question: Question;
}

/** Why there is nothing. What is wrong with a query that is not valid is said below its box. */
export function NothingFound({ isValid, ...props }: Props & { readonly isValid: boolean }) {
  return isValid ? <NoRows {...props} /> : <Empty of={empty.badQuery} />;
}

/** Nothing was ever sent, nothing in this time, or nothing that fulfils the query. */
function NoRows({ search, question }: Props) {
  const org = useOrg();
  const { dataSet } = question;
  const { dataset, project } = search;
  const ever = useQuery(fullCountQuery(org, { dataset, project, range: longestRange }));
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
      <Empty of={empty.noErrors} />
    ) : (
      <NoSpans project={search.project} kind={dataSet === 'spans' ? 'span' : 'transaction'} />
    );
  return (
    <QueryView query={ever} loading={m.searching} failed={m.rowsFailed} height={36}>
      {() =>
        filters.length ? (
          <Empty of={empty.noMatch} values={{ dataSet }}>
            <Chips label={m.emptyFilters}>
              {filters.map(({ key, text, without }, index) => {
                const count = counts[index]?.data?.count;
                return (
                  <span key={key}>
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
                    </Link>{' '}
                    <Text tone="faint" small>
                      {count !== undefined && m.withoutIt({ rows: rowCount(dataSet, count) })}
                    </Text>
                  </span>
                );
              })}
            </Chips>
          </Empty>
        ) : (
          <Empty of={empty.noneInRange} values={{ dataSet, range: rangeLabel(search, exploreRange) }} />
        )
      }
    </QueryView>
  );
}
