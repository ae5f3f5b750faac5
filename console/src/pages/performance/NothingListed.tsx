import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { rangeLabel } from '../../features/filters/range-words.ts';
import { chosen } from '../../features/filters/travel.ts';
import { longestRange } from '../../features/filters/widen.ts';
import { NoSpans } from '../../features/performance/NoSpans.tsx';
import { transactionsQuery, transactionsRange } from '../../features/performance/queries.ts';
import type { ListSearch } from '../../features/performance/search.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/performance.ts';
import { Chip, Chips } from '../../ui/Chip.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import * as empty from './empty.ts';

const filterNames = ['q', 'release', 'environment'] as const;

/** Why there is no row: nothing was ever sent, nothing in this time, or nothing that fulfils the filters. */
export function NothingListed({ search }: { readonly search: ListSearch }) {
  const ever = useQuery(transactionsQuery(useOrg(), { project: search.project, range: longestRange }, 1));
  return (
    <QueryView query={ever} loading={m.loading} failed={m.failed} height={48}>
      {({ transactions }) =>
        transactions.length === 0 ? <NoSpans project={search.project} /> : <Missed search={search} />
      }
    </QueryView>
  );
}

/** There are transactions: what leaves them out. */
function Missed({ search }: { readonly search: ListSearch }) {
  const navigate = useNavigate({ from: '/performance' });
  const filters = filterNames.filter((name) => search[name]);
  if (!filters.length && !search.cursor)
    return <Empty of={empty.noneInRange} values={{ range: rangeLabel(search, transactionsRange) }} />;
  return (
    <Empty of={empty.noMatch}>
      <Chips label={m.filters}>
        {filters.map((name) => (
          <Chip
            key={name}
            name={m.filterNames[name]}
            removes
            aria-label={m.removeFilter({ name: m.filterNames[name], value: search[name] ?? '' })}
            onClick={() =>
              void navigate({
                search: (before) =>
                  name === 'environment'
                    ? chosen(before, { environment: undefined })
                    : { ...before, cursor: undefined, [name]: undefined },
              })
            }
          >
            <code>{search[name]}</code>
          </Chip>
        ))}
      </Chips>
    </Empty>
  );
}
