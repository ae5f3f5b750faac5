/** All background work of the program. */
import type { Config } from '../base/config.ts';
import type { Job } from '../base/jobs/index.ts';
import { createBackfill, createLinker, deleteOldFeedback } from '../domains/feedback/index.ts';
import { comments, createSigner, createStateKeeper, forgetProject } from '../domains/issues/index.ts';
import { createRounds } from '../domains/notify/index.ts';
import { createAssigner } from '../domains/ownership/index.ts';
import { sweepDeleted } from '../domains/projects/index.ts';
import { deleteExpired } from '../ports/blobs/retention.ts';
import { packPayloads } from '../ports/events/payload-rows.ts';
import type { Domains, DomainStores } from './domains.ts';
import type { Later } from './later.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** In the order of the health page: what people wait for first. */
export function listJobs(config: Config, stores: DomainStores, domains: Domains, later: Later): readonly Job[] {
  const { state, events, blobs, live } = stores;
  const getUrl = (): string => later.url;
  return [
    ...domains.bulk.jobs,
    ...domains.exporter.jobs,
    ...domains.indexer.jobs,
    domains.symbolication.job,
    domains.examiner.job,
    domains.lookout.job,
    ...domains.evaluator.jobs,
    ...domains.notifier.jobs,
    ...(domains.notifier.mailer ? createRounds({ state, events, getUrl }) : []),
    createStateKeeper({ state, events, live }),
    createAssigner({ state, events, live }),
    createSigner(state),
    createLinker({ state, events, live }),
    createBackfill({ state, events, blobs }),
    {
      name: 'payload-packing',
      title: 'Pack stored events',
      // Each has its own.
      nodes: 'each',
      everyMs: 5 * minuteMs,
      needsEvents: true,
      failed: 'could not pack stored events; will retry',
      run: ({ signal }) => packPayloads(events, signal),
    },
    domains.carrier,
    domains.indexFiller,
    ...expiries(config, stores),
  ];
}

function expiries({ retentionDays }: Config, { state, events, blobs }: DomainStores): readonly Job[] {
  return [
    {
      name: 'deleted-projects',
      title: 'Purge deleted projects',
      nodes: 'one',
      everyMs: minuteMs,
      needsEvents: true,
      failed: 'could not purge a deleted project; will retry',
      async run() {
        await sweepDeleted(state, (projectId) => forgetProject({ events, blobs, retentionDays }, projectId));
      },
    },
    {
      name: 'deleted-comments',
      title: 'Purge deleted comments',
      nodes: 'one',
      everyMs: minuteMs,
      firstMs: minuteMs,
      failed: 'could not purge deleted comments; will retry',
      async run() {
        await comments.forgetDeleted(state, Date.now());
      },
    },
    {
      name: 'feedback-expiry',
      title: 'Delete feedback past retention',
      nodes: 'one',
      everyMs: dayMs / 4,
      failed: 'could not delete data past retention; will retry',
      run: () => deleteOldFeedback(state, Date.now() - retentionDays * dayMs),
    },
    {
      name: 'blob-expiry',
      title: 'Delete files past retention',
      // Each has its own.
      nodes: 'each',
      everyMs: dayMs / 4,
      failed: 'could not delete data past retention; will retry',
      async run() {
        await deleteExpired(blobs, retentionDays);
        // Rows go a week at a time, the payloads after them.
        await events.payloads?.dropBefore(Date.now() - (retentionDays + 8) * dayMs);
        await events.index?.dropBefore(Date.now() - (retentionDays + 8) * dayMs);
      },
    },
  ];
}
