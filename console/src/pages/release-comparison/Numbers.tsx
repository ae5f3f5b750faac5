import { Link } from '@tanstack/react-router';
import { Change } from '../../features/performance/Change.tsx';
import { comparisonRows } from '../../features/releases/comparison-rows.ts';
import { ReleaseName } from '../../features/releases/ReleaseName.tsx';
import type { Comparison } from '../../features/releases/health-queries.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ComparisonPage.module.css';

/** What was measured of either. */
export function Numbers({ comparison }: { readonly comparison: Comparison }) {
  const { from, to } = comparison;
  return (
    <Panel title="Numbers" id="numbers">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Measure</span>
            </th>
            {[from, to].map((side) => (
              <th key={side.version} scope="col">
                <Link to="/releases/$version" params={{ version: side.version }} title={side.version}>
                  <code>
                    <ReleaseName release={side} among={[from, to]} />
                  </code>
                </Link>
                <span className={styles.when}>
                  {side.firstEvent ? (
                    <>
                      since <Time at={side.firstEvent} />
                    </>
                  ) : (
                    'not seen'
                  )}
                </span>
              </th>
            ))}
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {comparisonRows(comparison).map(({ label, before, after, change }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{before}</td>
              <td className={styles.after}>{after}</td>
              <td>
                <Change change={change} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {from.numbers.sessions.total === 0 && to.numbers.sessions.total === 0 && (
        <p className={styles.note}>
          Neither has sessions, so there are no crash-free rates. SDKs send sessions once <code>release</code> is set.
        </p>
      )}
    </Panel>
  );
}
