import { termText } from '@culprit/search';
import { Link } from '@tanstack/react-router';
import type { Now } from '../../features/now/queries.ts';
import { freeShare } from '../../features/releases/health-words.ts';
import { compactNumber } from '../../ui/numbers.ts';
import { Time } from '../../ui/Time.tsx';
import { isUnusual, timesUsual } from './hotspots.ts';
import styles from './NowPage.module.css';

const maxPlaces = 6;

/** What changed last, where errors come from, and whether what is sent arrives. */
export function Beside({ now }: { readonly now: Now }) {
  const { change, hotspots, intake, sessions } = now;
  return (
    <aside className={styles.beside}>
      {intake.length > 0 && (
        <section aria-labelledby="now-intake">
          <h2 id="now-intake">Intake, last hour</h2>
          {intake.map(({ weight, sentence }) => (
            <p key={sentence} className={weight === 'usual' ? styles.faint : undefined} data-weight={weight}>
              {sentence} <Link to="/health">See why</Link>
            </p>
          ))}
        </section>
      )}
      <section aria-labelledby="now-change">
        <h2 id="now-change">Last change</h2>
        {change ? (
          <p>
            {change.kind === 'deploy' ? 'Deploy of ' : 'First events of '}
            <Link to="/releases/$version" params={{ version: change.version }} className={styles.version}>
              {change.name}
            </Link>
            {change.environment && ` in ${change.environment}`}, <Time at={change.at} />
          </p>
        ) : (
          <p className={styles.faint}>
            No release in 14 days. Set <code>release</code> in the SDK to see what a deploy changed.
          </p>
        )}
      </section>
      {sessions.crashFree !== null && (
        <section aria-labelledby="now-sessions">
          <h2 id="now-sessions">Crash-free sessions</h2>
          <p>
            <Link to="/releases" className={styles.version}>
              {freeShare(sessions.crashFree)}
            </Link>{' '}
            of {compactNumber(sessions.count)}
            {sessions.crashFreeBefore !== null && `, the day before ${freeShare(sessions.crashFreeBefore)}`}
          </p>
        </section>
      )}
      <section aria-labelledby="now-places">
        <h2 id="now-places">Errors of the last hour</h2>
        {hotspots.length === 0 ? (
          <p className={styles.faint}>None.</p>
        ) : (
          <table className={styles.places}>
            <thead>
              <tr>
                <th scope="col">Where</th>
                <th scope="col">Errors</th>
                <th scope="col">Usual</th>
              </tr>
            </thead>
            <tbody>
              {hotspots.slice(0, maxPlaces).map((spot) => (
                <tr key={`${spot.project}\n${spot.transaction}`}>
                  <th scope="row">
                    <Link
                      to="/issues"
                      search={{
                        q: spot.transaction ? termText('transaction', spot.transaction) : '!has:transaction',
                        project: spot.project,
                        range: '1h',
                      }}
                    >
                      {spot.transaction || 'no transaction'}
                    </Link>
                  </th>
                  <td>{compactNumber(spot.count)}</td>
                  <td data-unusual={isUnusual(spot) || undefined}>{timesUsual(spot)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </aside>
  );
}
