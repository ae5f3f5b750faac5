/** What everything stands on, in the order of its opening: the data directory, the stores, and who reports failures. */
import type { Logger } from 'pino';
import type { Config } from '../base/config.ts';
import { tightenDataDir } from '../base/data-dir.ts';
import { createLive } from '../base/live.ts';
import { readNodeId } from '../base/node-id.ts';
import { openSecrets, textBox } from '../base/secrets/index.ts';
import { createFailures, createReporter } from '../base/self/index.ts';
import { authSecret } from '../domains/accounts/index.ts';
import { createAudit, sealOf } from '../domains/audit/index.ts';
import { createInternalProject } from '../domains/internal-project/index.ts';
import { createVault, sealStored } from '../domains/notify/index.ts';
import { openBlobs } from '../ports/blobs/open.ts';
import { openEvents } from '../ports/events/open.ts';
import { isNatsUrl } from '../ports/nats/address.ts';
import type { Nats } from '../ports/nats/connection.ts';
import { openLog } from '../ports/queue/open.ts';
import { listPoints, retainedFrom } from '../ports/restore-points/index.ts';
import { claimState, cleanOnce } from '../ports/state/key-claim.ts';
import { openMigratedState } from '../ports/state/open.ts';
import type { State } from '../ports/state/state.ts';
import { openDataDir } from './data-dir.ts';
import type { Later } from './later.ts';

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** What was opened is closed with `opened`, the last first. */
export async function openStores(config: Config, logger: Logger, later: Later, opened: AsyncDisposableStack) {
  const { dataDir, selfReport } = config;
  await openDataDir(config, logger, opened);
  for (const sentence of await tightenDataDir(dataDir)) logger.warn(sentence);
  const node = await readNodeId(dataDir);
  const stateOptions = { url: config.stateUrl, dataDir };
  const { state } = await openMigratedState(stateOptions);
  opened.use(state);
  const { secrets, vault, sessionSecret } = await openSealed(state, config, logger);
  const auditSeal = sealOf(secrets);
  const auditBox = textBox(secrets.box('stored secret'));
  const nats = await openNatsOf(config, node, logger);
  if (nats) opened.use(nats);
  const from = retainedFrom(await listPoints(dataDir));
  const log = opened.use(
    await openLog({
      url: config.logUrl,
      dataDir,
      limitBytes: config.logMaxBytes,
      box: secrets.boxSetup('log record'),
      // Half of what a log may take: what waits and what is kept for a downgrade fit into what it is given.
      ...(from !== undefined && { retain: { from, maxBytes: config.logMaxBytes / 2 } }),
      warn: (sentence) => logger.warn(sentence),
    }),
  );
  const blobsOptions = { url: config.blobsUrl, dataDir };
  const blobs = openBlobs(blobsOptions);
  const internal = createInternalProject({ state, enabled: selfReport });
  const reporter = opened.use(
    createReporter({
      logger,
      target: () => internal.key(),
      accept: async (publicKey, envelope) => {
        if (!later.ingest) throw new Error('ingestion is not open yet');
        await later.ingest.takeOwn(publicKey, envelope);
      },
    }),
  );
  const failures = createFailures({ logger, ...(selfReport && { report: reporter.report }) });
  const store = opened.use(await openEvents({ url: config.eventsUrl, dataDir, logger, failures }));
  return {
    node,
    state,
    stateOptions,
    vault,
    sessionSecret,
    secrets,
    auditSeal,
    auditBox,
    /** Seals what waits to be forwarded, as the log of what was received. */
    recordBox: secrets.boxSetup('log record'),
    keyFingerprint: secrets.fingerprint,
    audit: createAudit(state, auditSeal),
    log,
    blobs,
    blobsOptions,
    internal,
    reporter,
    failures,
    store,
    events: store.events,
    /** What nodes talk over; undefined where this one is alone. */
    nats,
    live: nats ? opened.use(await openSharedLive(nats)) : createLive(),
  };
}

/** Loaded where it is used alone. */
async function openNatsOf({ logUrl }: Config, node: string, logger: Logger): Promise<Nats | undefined> {
  if (!isNatsUrl(logUrl)) return undefined;
  const { openNats } = await import('../ports/nats/connection.ts');
  return openNats({ url: logUrl, name: `culprit ${node}`, warn: (sentence) => logger.warn(sentence) });
}

async function openSharedLive(nats: Nats) {
  const { createSharedLive } = await import('../ports/nats/live.ts');
  return createSharedLive(nats);
}

/** The key, and what it seals in the state store; what an earlier version left there in the clear is sealed first. */
async function openSealed(state: State, config: Config, logger: Logger) {
  const secrets = await openSecrets(config);
  const { before } = await claimState(state, secrets);
  if (before !== undefined) {
    logger.warn(
      { before, now: secrets.fingerprint, key: secrets.source },
      'the key changed. Enter channel secrets again; people have to sign in again. The previous key restores all of it',
    );
  }
  const vault = createVault(secrets.box('stored secret'));
  await sealStored(state, vault);
  const sessionSecret = await authSecret(state, secrets);
  await cleanOnce(state).catch((error: unknown) =>
    logger.warn({ err: error }, 'free pages of the state store may still contain secrets; the next start clears them'),
  );
  await state
    .shrink({ isAlone: true })
    .catch((error: unknown) =>
      logger.warn({ err: error }, 'the state store keeps its size; the next start tries again'),
    );
  return { secrets, vault, sessionSecret };
}
