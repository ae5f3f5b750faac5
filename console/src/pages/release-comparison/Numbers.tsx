import { Link } from '@tanstack/react-router';
import { Estimate } from '../../features/issues/EventCount.tsx';
import { Change } from '../../features/performance/Change.tsx';
import { comparisonRows } from '../../features/releases/comparison-rows.ts';
import { ReleaseName } from '../../features/releases/ReleaseName.tsx';
import type { Comparison } from '../../features/releases/health-queries.ts';
import * as m from '../../messages/release-comparison.ts';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Nothing } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ComparisonPage.module.css';

/** What was measured of both. */
export function Numbers({ comparison }: { readonly comparison: Comparison }) {
  const { from, to } = comparison;
  return (
    <Panel title={m.numbers} id="numbers">
      <DataTable
        label={m.numbersOfBoth}
        dense
        head={
          <>
            <HeadCell>{m.measure}</HeadCell>
            {[from, to].map((side) => (
              <HeadCell number key={side.version}>
                <span className={styles.version}>
                  <Link to="/releases/$version" params={{ version: side.version }} title={side.version} translate="no">
                    <code>
                      <ReleaseName release={side} among={[from, to]} />
                    </code>
                  </Link>
                  {side.firstEvent ? m.since({ when: <Time at={side.firstEvent} /> }) : m.notSeen}
                </span>
              </HeadCell>
            ))}
            <HeadCell number>{m.change}</HeadCell>
          </>
        }
      >
        {comparisonRows(comparison).map(({ label, before, after, about, change }) => (
          <tr key={label}>
            <RowHead>{label}</RowHead>
            <Cell number>
              <Estimate short={before} about={about.before} />
            </Cell>
            <Cell number>
              <strong className={styles.after}>
                <Estimate short={after} about={about.after} />
              </strong>
            </Cell>
            <Cell number>
              <Change change={change} />
            </Cell>
          </tr>
        ))}
      </DataTable>
      {from.numbers.sessions.total === 0 && to.numbers.sessions.total === 0 && <Nothing>{m.noSessions}</Nothing>}
    </Panel>
  );
}
