import { Link } from '@tanstack/react-router';
import { Stroke } from '../../features/charts/Stroke.tsx';
import { outcomeKinds, outcomeRows } from '../../features/intake/outcome-rows.ts';
import type { Outcomes } from '../../features/intake/queries.ts';
import { exactNumber } from '../../ui/numbers.ts';
import { Card } from '../../ui/Page.tsx';
import styles from './Table.module.css';

/** Each number leads to the items behind it, where they are kept. */
export function OutcomeTable({ groups }: { readonly groups: Outcomes['groups'] }) {
  const rows = outcomeRows(groups);
  if (rows.length === 0) return <p className={styles.none}>Nothing was sent in this time.</p>;
  return (
    <Card>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Category</th>
            <th scope="col">Reason</th>
            <th scope="col" className={styles.number}>
              Items
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const kind = outcomeKinds.find((each) => each.kind === row.outcome);
            return (
              <tr key={`${row.outcome}-${row.category}-${row.reason}`}>
                <td>
                  <span className={styles.outcome}>
                    {kind && <Stroke token={kind.token} shape="bar" />}
                    {kind?.label ?? row.outcome}
                  </span>
                </td>
                <td>
                  <code>{row.category}</code>
                </td>
                <td>{row.reason ? <code>{row.reason}</code> : <span className={styles.faint}>–</span>}</td>
                <td className={styles.number}>
                  {row.outcome === 'invalid' ? (
                    <Link
                      from="/health"
                      to="."
                      search={(before) => ({
                        ...before,
                        outcome: row.outcome,
                        reason: row.reason || undefined,
                        type: undefined,
                      })}
                      hash="kept"
                    >
                      {exactNumber(row.total)}
                    </Link>
                  ) : (
                    exactNumber(row.total)
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}
