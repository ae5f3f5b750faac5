/** All background work of the program. */
import type { Config } from '../base/config.ts';
import type { Job } from '../base/jobs/index.ts';
import { createAuditKeeper } from '../domains/audit/index.ts';
import { createCostJob } from '../domains/costs/index.ts';
import { createBackfill, createLinker, deleteOldFeedback } from '../domains/feedback/index.ts';
import {
  comments,
  createDecisionExpiry,
  createSigner,
  createStateKeeper,
  forgetProject,
  forgetWaiting,
} from '../domains/issues/index.ts';
import { createRounds } from '../domains/notify/index.ts';
import { createAssigner } from '../domains/ownership/index.ts';
import { heldAmong, sweepDeleted } from '../domains/projects/index.ts';
import { agesOf, daysFor, longestOf } from '../domains/retention/index.ts';
import { deleteExpired } from '../ports/blobs/retention.ts';
import { packPayloads } from '../ports/events/payload-rows.ts';
import type { Domains, DomainStores } from './domains.ts';
import type { Later } from './later.ts';
import { jobs as jobTexts } from '../base/texts/jobs.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** In the order of the health page: what people wait for first. */
export function listJobs(config: Config, stores: DomainStores, domains: Domains, later: Later): readonly Job[] {
  const { state, events, blobs, live } = stores;
  const getUrl = (): string => later.url;
  return [
    ...domains.bulk.jobs,
    ...domains.exporter.jobs,
    ...domains.eraser.jobs,
    domains.importer,
    ...domains.indexer.jobs,
    domains.symbolication.job,
    domains.examiner.job,
    domains.lookout.job,
    ...domains.evaluator.jobs,
    domains.quotaWatch,
    ...domains.notifier.jobs,
    ...domains.webhooks.jobs,
    ...(domains.notifier.mailer ? createRounds({ state, events, getUrl }) : []),
    createStateKeeper({ state, events, live }),
    createAssigner({ state, events, live }),
    createSigner(state),
    createLinker({ state, events, live }),
    createBackfill({ state, events, blobs }),
    {
      name: 'payload-packing',
      title: jobTexts.payloadPacking.title,
      // On S3 all have the same.
      nodes: events.address.payloadsUrl ? 'one' : 'each',
      everyMs: 5 * minuteMs,
      needsEvents: true,
      failed: jobTexts.payloadPacking.failed,
      run: ({ signal }) => packPayloads(events, signal),
    },
    domains.carrier,
    domains.indexFiller,
    domains.mirrors.job,
    domains.giveBack,
    domains.diskUsage.job,
    domains.retention.job,
    createCostJob({ state, events }),
    domains.auditStream.job,
    ...(domains.auditFile ? [domains.auditFile.job] : []),
    createAuditKeeper(state, stores.auditSeal),
    ...expiries(config, stores),
  ];
}

function expiries({ retentionDays, blobsUrl }: Config, { state, events, blobs, log }: DomainStores): readonly Job[] {
  const forgetDecisions = createDecisionExpiry(state, log);
  return [
    {
      name: 'deleted-projects',
      title: jobTexts.deletedProjects.title,
      nodes: 'one',
      everyMs: minuteMs,
      needsEvents: true,
      failed: jobTexts.deletedProjects.failed,
      async run() {
        await sweepDeleted(state, (projectId) => forgetProject({ events, blobs }, projectId));
      },
    },
    {
      name: 'deleted-comments',
      title: jobTexts.deletedComments.title,
      nodes: 'one',
      everyMs: minuteMs,
      firstMs: minuteMs,
      failed: jobTexts.deletedComments.failed,
      async run() {
        await comments.forgetDeleted(state, Date.now());
      },
    },
    {
      name: 'feedback-expiry',
      title: jobTexts.feedbackExpiry.title,
      nodes: 'one',
      everyMs: dayMs / 4,
      failed: jobTexts.feedbackExpiry.failed,
      run: () => deleteOldFeedback(state, Date.now() - retentionDays * dayMs),
    },
    {
      name: 'issue-limit-expiry',
      title: jobTexts.issueLimitExpiry.title,
      nodes: 'one',
      everyMs: dayMs / 4,
      failed: jobTexts.issueLimitExpiry.failed,
      async run() {
        const { errors } = await agesOf(state, retentionDays);
        const held = new Set((await heldAmong(state)).map(({ projectId }) => projectId));
        const daysOf = (id: number): number => (held.has(id) ? Infinity : daysFor(errors, id));
        await forgetWaiting(state, (id) => Date.now() - daysOf(id) * dayMs);
        return (await forgetDecisions(Date.now())) ? undefined : Date.now() + minuteMs;
      },
    },
    {
      name: 'blob-expiry',
      title: jobTexts.blobExpiry.title,
      // On S3 all have the same.
      nodes: blobsUrl ? 'one' : 'each',
      everyMs: dayMs / 4,
      failed: jobTexts.blobExpiry.failed,
      async run() {
        const { attachments, errors } = await agesOf(state, retentionDays);
        const held = (await heldAmong(state)).map(({ projectId }) => projectId);
        const own = new Map([...attachments.own, ...held.map((id) => [id, Infinity] as const)]);
        await deleteExpired(blobs, attachments.days, Date.now(), own);
        // What is old of the others is erased row by row.
        if (held.length > 0) return;
        // Rows go a week at a time, the payloads after them.
        const gone = Date.now() - (longestOf(errors) + 8) * dayMs;
        await events.payloads?.dropBefore(gone);
        await events.index?.dropBefore(gone);
      },
    },
  ];
}
