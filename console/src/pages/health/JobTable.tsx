import type { Health } from '../../features/intake/queries.ts';
import * as m from '../../messages/health.ts';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

export type Job = Health['jobs'][number];

/** What the server does in the background, its last run, and whether it can: what fails is first. */
export function JobTable({ jobs, now }: Pick<Health, 'jobs' | 'now'>) {
  return (
    <DataTable
      label={m.jobs}
      boxed
      dense
      head={
        <>
          <HeadCell main>{m.job}</HeadCell>
          <HeadCell>{m.state}</HeadCell>
          <HeadCell number>{m.lastRun}</HeadCell>
          <HeadCell number hide="narrow">
            {m.nextRun}
          </HeadCell>
          <HeadCell number>{m.toDo}</HeadCell>
          <HeadCell number hide="narrow">
            {m.failedRuns}
          </HeadCell>
        </>
      }
    >
      {jobs
        .toSorted((a, b) => Number(b.attempts > 0) - Number(a.attempts > 0))
        .map((job) => (
          <JobRow key={job.name} job={job} now={Date.parse(now)} />
        ))}
    </DataTable>
  );
}

export function JobRow({ job, now }: { readonly job: Job; readonly now: number }) {
  const { name, title, state, lastBegan, nextDue, waiting, running, attempts, failure, dateFailed } = job;
  return (
    <tr>
      <RowHead>
        <Text>
          <span translate="no">{title}</span> <code>{name}</code>
        </Text>
        {failure && dateFailed && (
          <Text as="p" tone={attempts > 0 ? 'error' : 'faint'}>
            {m.lastFailure({ when: <Time at={dateFailed} />, reason: <span translate="no">{failure}</span> })}
          </Text>
        )}
      </RowHead>
      <Cell>
        {attempts > 0 ? (
          <Text tone="error">
            <strong>{m.failing}</strong>
          </Text>
        ) : (
          stateOf(job)
        )}
      </Cell>
      <Cell number>{lastBegan ? <Time at={lastBegan} /> : '–'}</Cell>
      <Cell number hide="narrow">
        {nextDue && state !== 'running' ? <Next at={Date.parse(nextDue)} now={now} /> : '–'}
      </Cell>
      <Cell number>{waiting === null ? '–' : exactNumber(waiting + (running ?? 0))}</Cell>
      <Cell number hide="narrow">
        {attempts > 0 ? exactNumber(attempts) : '–'}
      </Cell>
    </tr>
  );
}

/** Which node runs it is all the same: whoever shows this may run none of them. */
function stateOf({ state, running, lastEnded }: Job): string {
  if (state !== 'elsewhere') return m.states[state];
  if (running) return m.states.running;
  return lastEnded ? m.states.waiting : '–';
}

const soonMs = 15_000;

/** Most of it is due every few seconds. */
function Next({ at, now }: { readonly at: number; readonly now: number }) {
  return at - now < soonMs ? m.soon : <Time at={at} />;
}
