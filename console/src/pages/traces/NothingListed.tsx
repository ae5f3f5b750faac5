import { useQueries, useQuery } from '@tanstack/react-query';
import { rangeLabel } from '../../features/filters/range-words.ts';
import { chosen } from '../../features/filters/travel.ts';
import { longestRange } from '../../features/filters/widen.ts';
import { NoSpans } from '../../features/performance/NoSpans.tsx';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { fieldsQuery, tracesQuery, tracesRange, type TraceFields } from '../../features/traces/queries.ts';
import type { TracesSearch } from '../../features/traces/search.ts';
import { spanWords } from '../../features/traces/times.ts';
import { chipsOf } from '../../features/traces/words.ts';
import * as m from '../../messages/traces.ts';
import { Chips } from '../../ui/Chip.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { FilterChip } from './Chips.tsx';
import * as empty from './empty.ts';

/** Why there is no row: nothing was ever sent, nothing in this time, or nothing that fulfils the filters. */
export function NothingListed({ search }: { readonly search: TracesSearch }) {
  const ever = useQuery(tracesQuery(useOrg(), { project: search.project, range: longestRange }, 1));
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
  if (!chips.length) return <Empty of={empty.noneInRange} values={{ range: rangeLabel(search, tracesRange) }} />;
  return (
    <Empty of={empty.noMatch}>
      <Chips label={m.uselessFilters}>
        {chips.map((chip, index) => (
          <span key={chip.key}>
            <FilterChip chip={chip} />{' '}
            <Text tone="faint" small>
              {withoutIt(counts[index]?.data)}
            </Text>
          </span>
        ))}
      </Chips>
    </Empty>
  );
}

function withoutIt(fields: TraceFields | undefined): string {
  if (!fields) return '';
  const { count, whole } = fields;
  return whole ? m.without({ count }) : m.withoutAtLeast({ count });
}
