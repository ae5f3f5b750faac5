import { Link } from '@tanstack/react-router';
import { Stroke } from '../../features/charts/Stroke.tsx';
import { outcomeKinds, outcomeRows, type OutcomeRow } from '../../features/intake/outcome-rows.ts';
import type { Outcomes } from '../../features/intake/queries.ts';
import * as m from '../../messages/health.ts';
import { Cell, DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import { Text } from '../../ui/Text.tsx';

/** Each number leads to the items behind it, where they are stored. */
export function OutcomeTable({ groups }: { readonly groups: Outcomes['groups'] }) {
  const rows = outcomeRows(groups);
  if (rows.length === 0)
    return (
      <Text as="p" tone="faint">
        {m.nothingReceived}
      </Text>
    );
  return (
    <DataTable
      label={m.outcomes}
      boxed
      dense
      head={
        <>
          <HeadCell>{m.outcome}</HeadCell>
          <HeadCell>{m.category}</HeadCell>
          <HeadCell>{m.reason}</HeadCell>
          <HeadCell number>{m.items}</HeadCell>
        </>
      }
    >
      {rows.map((row) => (
        <OutcomeTableRow key={`${row.outcome}-${row.category}-${row.reason}`} row={row} />
      ))}
    </DataTable>
  );
}

export function OutcomeTableRow({ row: { outcome, category, reason, total } }: { readonly row: OutcomeRow }) {
  const kind = outcomeKinds.find((each) => each.kind === outcome);
  const count = exactNumber(total);
  return (
    <tr>
      <Cell>
        <Inline>
          {kind && <Stroke token={kind.token} shape="bar" />}
          {kind?.label ?? outcome}
        </Inline>
      </Cell>
      <Cell>
        <code>{category}</code>
      </Cell>
      <Cell>{reason ? <code>{reason}</code> : '–'}</Cell>
      <Cell number>
        {outcome === 'invalid' ? (
          <Link
            from="/health"
            to="."
            search={(before) => ({ ...before, outcome, reason: reason || undefined, type: undefined })}
            hash="kept"
          >
            {count}
          </Link>
        ) : (
          count
        )}
      </Cell>
    </tr>
  );
}
