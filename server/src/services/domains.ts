/** Services of domains that last as long as the program. What they do by themselves is in `jobs.ts`. */
import type { Logger } from 'pino';
import type { Config } from '../base/config.ts';
import { parseAllowList } from '../base/outbound/index.ts';
import { createAuditFile, createAuditStream } from '../domains/audit/index.ts';
import { createAccounts } from '../domains/accounts/index.ts';
import { createEvaluator, openAlertPreviews } from '../domains/alerts/index.ts';
import { createIndexer } from '../domains/artifacts/index.ts';
import { createDiskUsage, createGiveBack } from '../domains/disk/index.ts';
import { createExaminer } from '../domains/detectors/index.ts';
import { createExporter } from '../domains/explore/index.ts';
import { createImporter } from '../domains/imports/index.ts';
import { createLookout } from '../domains/find/index.ts';
import { createBusy } from '../domains/nodes/index.ts';
import { createBulk, KnownAnswers, notifyAssignees } from '../domains/issues/index.ts';
import { createNotifier, parseMailSettings } from '../domains/notify/index.ts';
import { createSignIns } from '../domains/providers/index.ts';
import { createCarryJob } from '../ports/events/carry/job.ts';
import { createEraser, createHolds, deleteOverdue } from '../domains/erase/index.ts';
import { createFillJob } from '../ports/events/fill-index/job.ts';
import { openPreviews } from '../domains/regroup/index.ts';
import { createQuotaWatch } from '../domains/quotas/index.ts';
import { heldAmong } from '../domains/projects/index.ts';
import { createRetentionKeeper } from '../domains/retention/index.ts';
import { createSlack } from '../domains/slack/index.ts';
import { createWebhooks } from '../domains/webhooks/index.ts';
import { createSymbolication } from '../domains/resymbolicate/index.ts';
import type { Intake } from './intake.ts';
import type { Later } from './later.ts';
import type { Stores } from './stores.ts';

/** What of the stores they need. */
export type DomainStores = Pick<
  Stores,
  | 'node'
  | 'state'
  | 'stateOptions'
  | 'events'
  | 'blobs'
  | 'blobsOptions'
  | 'live'
  | 'failures'
  | 'vault'
  | 'sessionSecret'
  | 'pseudonymKey'
  | 'audit'
  | 'auditSeal'
  | 'auditBox'
> & {
  /** Imports write into it. */
  readonly log: Pick<Stores['log'], 'append' | 'embedded' | 'end' | 'isDoneBefore' | 'stats'>;
};

/** What is in the log waits longer than it does for a batch to fill. */
const busyLagMs = 2_000;

export type Domains = Awaited<ReturnType<typeof openDomains>>;

export async function openDomains(
  config: Config,
  logger: Logger,
  stores: DomainStores,
  intake: Intake,
  later: Later,
  opened: AsyncDisposableStack,
) {
  const { node, state, stateOptions, events, blobs, blobsOptions, live, failures, vault } = stores;
  const getUrl = (): string => later.url;
  const places = { state, stateOptions, events: events.address, live };
  const isBusy = createBusy({ state, busyLagMs, ownLagMs: () => later.pipeline?.stats().lagMs });
  const symbolication = createSymbolication({
    ...places,
    blobs: blobsOptions,
    days: config.resymbolicateDays,
    pseudonymKey: stores.pseudonymKey,
    onRevising: (projectId) => events.index?.noteRevised([projectId]),
  });
  const notifier = createNotifier({
    state,
    failures,
    getUrl,
    mail: parseMailSettings(config.smtpUrl, config.mailFrom, config.url),
    allow: parseAllowList(config.outboundAllow),
    vault,
    slackApp: (organizationId) => slack.accessOf(organizationId),
  });
  const bulk = createBulk({
    state,
    events,
    live,
    blobs,
    node: stores.node,
    onManyAssigned: (trx, job, to) => notifyAssignees(trx, job, to, getUrl()),
  });
  const slack = opened.use(
    createSlack({
      state,
      box: stores.auditBox,
      bulk,
      audit: stores.audit,
      failures,
      getUrl,
      tools: { allow: parseAllowList(config.outboundAllow) },
    }),
  );
  const auditStream = createAuditStream({ state, box: stores.auditBox, allow: parseAllowList(config.outboundAllow) });
  const webhooks = createWebhooks({
    state,
    events,
    box: stores.auditBox,
    allow: parseAllowList(config.outboundAllow),
    getUrl,
  });
  const auditFile = config.auditFile ? createAuditFile(state, config.auditFile) : undefined;
  stores.audit.onWritten(() => {
    auditStream.wake();
    auditFile?.wake();
  });
  const accounts = await createAccounts({
    state,
    getUrl,
    audit: stores.audit,
    secret: stores.sessionSecret,
    warn: (message, ...details) => logger.warn({ details }, message),
  });
  live.subscribe((message) => {
    const ofAll = message.type === 'access' && message.userId === undefined;
    if (!ofAll && message.type !== 'settings' && message.type !== 'missed') return;
    accounts.demands.forget();
    accounts.sessionPolicies.forget();
  });
  return {
    ...intake,
    auditStream,
    webhooks,
    secretBox: stores.auditBox,
    auditFile,
    accounts,
    signIns: createSignIns({ state, box: stores.auditBox, audit: stores.audit, getUrl }),
    symbolication,
    notifier,
    // To a store that others reach they may write as well.
    known: events.address.payloadsDir === undefined ? undefined : opened.use(new KnownAnswers({ live })),
    indexer: createIndexer({
      state,
      stateOptions,
      blobs,
      blobsOptions,
      failures,
      logger,
      retentionDays: config.retentionDays,
      onIndexed: ({ projectIds, debugIds, release, dist }) =>
        symbolication.again(projectIds, { debugIds, release, dist }),
    }),
    bulk,
    slack,
    exporter: createExporter({ state, events, blobs, failures }),
    eraser: createEraser({
      state,
      events,
      blobs,
      log: stores.log,
      mirrors: intake.mirrors,
      live,
      failures,
      box: stores.auditBox,
      pseudonymKey: stores.pseudonymKey,
      dataDir: config.dataDir,
    }),
    holds: createHolds({ state, events }, config.retentionDays),
    importer: createImporter({
      state,
      events,
      log: stores.log,
      live,
      failures,
      box: stores.auditBox,
      allow: parseAllowList(config.outboundAllow),
      retentionDays: config.retentionDays,
    }),
    lookout: createLookout({
      stores: { state, events },
      live,
      warn: (error) => logger.warn({ err: error }, 'could not look up watched digests; will retry'),
    }),
    examiner: createExaminer({ ...places, logger, waitMs: config.performanceWaitSeconds * 1_000 }),
    carrier: createCarryJob({ events, logger, isBusy }),
    indexFiller: createFillJob({ events, logger, isBusy }),
    diskUsage: createDiskUsage({
      node: stores.node,
      dataDir: config.dataDir,
      retentionDays: config.retentionDays,
      state,
      log: stores.log,
      events,
      failures,
    }),
    retention: createRetentionKeeper({
      state,
      events,
      blobs,
      dataDir: config.dataDir,
      retentionDays: config.retentionDays,
      failures,
      isHeld: async () => (await heldAmong(state)).length > 0,
      deleteOverdue: (signal) => deleteOverdue({ state, events }, config.retentionDays, signal),
    }),
    giveBack: createGiveBack({
      state,
      log: stores.log,
      events,
      blobs,
      isBusy,
      onGivenBack: (bytes) => logger.info({ bytes }, 'disk space of deleted data was returned'),
    }),
    quotaWatch: createQuotaWatch({ state, events, getUrl, onTold: () => notifier.wake() }),
    evaluator: createEvaluator({ state, events, failures, getUrl, onMessages: () => notifier.wake() }),
    alertPreviews: opened.use(openAlertPreviews({ state, events, node, failures })),
    groupingPreviews: opened.use(openPreviews({ ...places, node, failures })),
  };
}
