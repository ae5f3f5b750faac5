import type { Health } from '../../features/intake/queries.ts';
import { exactNumber } from '../../ui/numbers.ts';
import { Card } from '../../ui/Page.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './Table.module.css';

type Job = Health['jobs'][number];

const states: Readonly<Record<Job['state'], string>> = {
  starting: 'starting',
  waiting: 'idle',
  running: 'running',
  elsewhere: 'on another node',
};

/** What the server does in the background, when it last did, and whether it can: what fails stands first. */
export function JobTable({ jobs, now }: Pick<Health, 'jobs' | 'now'>) {
  return (
    <Card>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">State</th>
            <th scope="col" className={styles.number}>
              Last run
            </th>
            <th scope="col" className={`${styles.number} ${styles.wide}`}>
              Next
            </th>
            <th scope="col" className={styles.number}>
              To do
            </th>
            <th scope="col" className={`${styles.number} ${styles.wide}`}>
              Failed runs
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs
            .toSorted((a, b) => Number(b.attempts > 0) - Number(a.attempts > 0))
            .map((job) => (
              <JobRow key={job.name} job={job} now={Date.parse(now)} />
            ))}
        </tbody>
      </table>
    </Card>
  );
}

function JobRow({ job, now }: { readonly job: Job; readonly now: number }) {
  const { name, title, state, lastBegan, nextDue, waiting, running, attempts, failure, dateFailed } = job;
  const dash = <span className={styles.faint}>–</span>;
  return (
    <tr>
      <td>
        {title} <code className={styles.wide}>{name}</code>
        {failure && dateFailed && (
          <div className={attempts > 0 ? styles.failing : styles.faint}>
            Last failure <Time at={dateFailed} />: {failure}
          </div>
        )}
      </td>
      <td className={styles.state}>
        {attempts > 0 ? <strong className={styles.failing}>failing</strong> : states[state]}
      </td>
      <td className={styles.number}>{lastBegan ? <Time at={lastBegan} /> : dash}</td>
      <td className={`${styles.number} ${styles.wide}`}>
        {nextDue && state !== 'running' ? <Next at={Date.parse(nextDue)} now={now} /> : dash}
      </td>
      <td className={styles.number}>{waiting === null ? dash : exactNumber(waiting + (running ?? 0))}</td>
      <td className={`${styles.number} ${styles.wide}`}>{attempts > 0 ? exactNumber(attempts) : dash}</td>
    </tr>
  );
}

/** Most of it is due every few seconds. */
function Next({ at, now }: { readonly at: number; readonly now: number }) {
  return at - now < 15_000 ? <>in a moment</> : <Time at={at} />;
}
