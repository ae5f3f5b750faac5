import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lasting, rangeLabel } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import { NoSpans } from '../../features/performance/NoSpans.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { fieldsQuery, tracesQuery, tracesRange, type TraceFields } from '../../features/traces/queries.ts';
import type { TracesSearch } from '../../features/traces/search.ts';
import { spanWords } from '../../features/traces/times.ts';
import { chipsOf } from '../../features/traces/words.ts';
import * as m from '../../messages/traces.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { NotFoundIcon } from '../../ui/icons.ts';
import { QueryView } from '../../ui/QueryView.tsx';
import { EmptyState } from '../../ui/State.tsx';
import { FilterChip } from './Chips.tsx';

const longest = '90d';

/** Why there is no row: nothing was ever sent, nothing in this time, or nothing that fulfils the filters. */
export function NothingListed({ search }: { readonly search: TracesSearch }) {
  const ever = useQuery(tracesQuery(useOrg(), { project: search.project, range: longest }, 1));
  return (
    <QueryView query={ever} loading={m.loading} failed={m.failed} height={50}>
      {({ traces }) =>
        traces.length === 0 ? <NoSpans project={search.project} kind="trace" /> : <Missed search={search} />
      }
    </QueryView>
  );
}

/** There are traces: what leaves them out. */
function Missed({ search }: { readonly search: TracesSearch }) {
  const org = useOrg();
  const { environment } = search;
  const chips = [
    ...chipsOf(search, spanWords),
    ...(environment
      ? [
          {
            key: 'environment',
            label: m.fields.environment,
            value: environment,
            without: chosen(search, { environment: undefined }),
          },
        ]
      : []),
  ];
  const counts = useQueries({
    queries: chips.map(({ without }) => ({ ...fieldsQuery(org, without, 1), placeholderData: undefined })),
  });
  if (!chips.length)
    return (
      <EmptyState title={m.noneInRange({ range: rangeLabel(search, tracesRange) })} icon={<NotFoundIcon size={24} />}>
        <p>{m.earlier}</p>
        <Link
          from="/traces"
          to="."
          search={(before) => chosen(before, lasting(longest))}
          className={buttonClass('primary')}
        >
          {m.showLongest}
        </Link>
      </EmptyState>
    );
  return (
    <EmptyState title={m.noMatch} icon={<NotFoundIcon size={24} />}>
      <DataList label={m.uselessFilters} compact open>
        {chips.map((chip, index) => (
          <DataRow key={chip.key} title={<FilterChip chip={chip} />} end={withoutIt(counts[index]?.data)} />
        ))}
      </DataList>
      {chips.length > 1 && (
        <Link
          from="/traces"
          to="."
          search={({ project, elsewhere }) => chosen({ project, elsewhere }, { environment: undefined, ...lasting() })}
          className={buttonClass()}
        >
          {m.clearFilters}
        </Link>
      )}
    </EmptyState>
  );
}

function withoutIt(fields: TraceFields | undefined): string {
  if (!fields) return '';
  const { count, whole } = fields;
  return whole ? m.without({ count }) : m.withoutAtLeast({ count });
}
