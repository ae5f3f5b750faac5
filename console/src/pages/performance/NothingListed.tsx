import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lasting, rangeLabel } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import { NoSpans } from '../../features/performance/NoSpans.tsx';
import { transactionsQuery, transactionsRange } from '../../features/performance/queries.ts';
import type { ListSearch } from '../../features/performance/search.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/performance.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Chip, Chips } from '../../ui/Chip.tsx';
import { NotFoundIcon } from '../../ui/icons.ts';
import { QueryView } from '../../ui/QueryView.tsx';
import { EmptyState } from '../../ui/State.tsx';

const longest = '90d';
const filterNames = ['q', 'release', 'environment'] as const;

/** Why there is no row: nothing was ever sent, nothing in this time, or nothing that fulfils the filters. */
export function NothingListed({ search }: { readonly search: ListSearch }) {
  const ever = useQuery(transactionsQuery(useOrg(), { project: search.project, range: longest }, 1));
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
  const { cursor, project, elsewhere } = search;
  const filters = filterNames.filter((name) => search[name]);
  if (!filters.length && !cursor)
    return (
      <EmptyState
        title={m.noneInRange({ range: rangeLabel(search, transactionsRange) })}
        icon={<NotFoundIcon size={24} />}
      >
        <p>{m.earlier}</p>
        <Link
          from="/performance"
          to="."
          search={(before) => chosen(before, lasting(longest))}
          className={buttonClass('primary')}
        >
          {m.showLongest}
        </Link>
      </EmptyState>
    );
  const cleared = chosen({ project, elsewhere }, { environment: undefined, ...lasting() });
  return (
    <EmptyState title={m.noMatch} icon={<NotFoundIcon size={24} />}>
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
      <Button onClick={() => void navigate({ search: cleared })}>{m.clearFilters}</Button>
    </EmptyState>
  );
}
