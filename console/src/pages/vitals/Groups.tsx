import { useQuery } from '@tanstack/react-query';
import { vitalsQuery, type VitalsGroup } from '../../features/performance/queries.ts';
import type { VitalsSearch } from '../../features/performance/search.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/vitals.ts';
import { Cell, DataTable, HeadCell, type LeftOut, RowHead } from '../../ui/DataTable.tsx';
import { compactNumber } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { VitalCells, VitalHeads } from './vital-cells.tsx';

const most = 10;
const hide = (vital: string): LeftOut | undefined => (vital === 'lcp' ? undefined : 'narrow');

/** The same by who looks at the pages; most frequent first. */
export function Groups({ search, by }: { readonly search: VitalsSearch; readonly by: keyof typeof m.groups }) {
  const found = useQuery(vitalsQuery(useOrg(), search, by, search.page));
  return (
    <Panel title={m.groups[by]} id={by} boxed={false}>
      <QueryView query={found} loading={m.loadingGroups[by]} failed={m.groupsFailed[by]} height={36}>
        {(groups) => (
          <DataTable
            label={m.groups[by]}
            boxed
            dense
            busy={found.isFetching}
            head={
              <>
                <HeadCell main>{m.columns[by]}</HeadCell>
                <HeadCell number>{m.columns.score}</HeadCell>
                <VitalHeads hide={hide} />
              </>
            }
          >
            {groups
              .toSorted((a, b) => b.count - a.count)
              .slice(0, most)
              .map((group) => (
                <GroupRow key={group.name} group={group} />
              ))}
          </DataTable>
        )}
      </QueryView>
    </Panel>
  );
}

export function GroupRow({ group: { name, count, score, vitals } }: { readonly group: VitalsGroup }) {
  return (
    <tr>
      <RowHead>
        {name ? <span translate="no">{name}</span> : m.unknown}{' '}
        <Text tone="faint" small>
          {m.samplesOf({ count, n: compactNumber(count) })}
        </Text>
      </RowHead>
      <Cell number>{score === null ? '–' : <strong>{Math.round(score)}</strong>}</Cell>
      <VitalCells vitals={vitals} hide={hide} />
    </tr>
  );
}
