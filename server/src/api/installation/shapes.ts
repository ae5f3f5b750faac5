import type { z } from 'zod';
import type { JobReport } from '../../jobs/index.ts';
import { iso } from '../shared/read.ts';
import { troubles as texts } from '../../base/texts/health.ts';
import type * as contract from './contract.ts';

type Shown = z.output<typeof contract.Health>['jobs'][number];

export function toBackgroundJob(job: JobReport, mayReadFailure: boolean): Shown {
  const { name, title, state, waiting, running, attempts, failure } = job;
  const time = (at: number | null): string | null => (at === null ? null : iso(at));
  return {
    name,
    title,
    state,
    lastBegan: time(job.beganAt),
    lastEnded: time(job.endedAt),
    nextDue: time(job.dueAt),
    waiting,
    running,
    attempts,
    failure: mayReadFailure || failure === '' ? failure : texts.hidden,
    dateFailed: time(job.failedAt),
  };
}
