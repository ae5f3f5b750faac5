/** What every node stands on, in the order of its opening: the data directory, the state store, the log, and who reports failures. */
import type { Logger } from 'pino';
import type { Config } from '../base/config.ts';
import { tightenDataDir } from '../base/data-dir.ts';
import { createLive } from '../base/live.ts';
import { readNodeId } from '../base/node-id.ts';
import { openSecrets, textBox } from '../base/secrets/index.ts';
import { createFailures, createReporter } from '../base/self/index.ts';
import { createInternalProject } from '../domains/internal-project/index.ts';
import { openOwnVisitors, type ShareRates } from '../ingest/index.ts';
import { isNatsUrl } from '../ports/nats/address.ts';
import type { Nats } from '../ports/nats/connection.ts';
import { openLog } from '../ports/queue/open.ts';
import { listPoints, retainedFrom } from '../ports/restore-points/index.ts';
import { installationId } from '../ports/state/installation.ts';
import { claimState } from '../ports/state/key-claim.ts';
import { openMigratedState } from '../ports/state/open.ts';
import type { State } from '../ports/state/state.ts';
import { openDataDir } from './data-dir.ts';
import type { Later } from './later.ts';
import { forwardLeft, refuseIfMoved, waitForMove } from './moved.ts';

export type Ground = Awaited<ReturnType<typeof openGround>>;

/** What was opened is closed with `opened`, the last first. */
export async function openGround(config: Config, logger: Logger, later: Later, opened: AsyncDisposableStack) {
  const { dataDir, selfReport } = config;
  await openDataDir(config, logger, opened);
  await refuseIfMoved(config);
  for (const sentence of await tightenDataDir(dataDir)) logger.warn(sentence);
  const node = await readNodeId(dataDir);
  const stateOptions = { url: config.stateUrl, dataDir };
  const { state } = await openMigratedState(stateOptions);
  opened.use(state);
  await waitForMove(state, logger);
  const secrets = await claimSecrets(state, config, logger);
  const installation = await installationId(state);
  await forwardLeft(config, { secrets, installation }, logger);
  const nats = await openNatsOf(config, node, logger);
  if (nats) opened.use(nats);
  const from = retainedFrom(await listPoints(dataDir));
  const log = opened.use(
    await openLog({
      url: config.logUrl,
      dataDir,
      limitBytes: config.logMaxBytes,
      box: secrets.boxSetup('log record'),
      nats,
      installation,
      // Half of what a log may take: what waits and what is kept for a downgrade fit into what it is given.
      ...(from !== undefined && { retain: { from, maxBytes: config.logMaxBytes / 2 } }),
      warn: (sentence) => logger.warn(sentence),
    }),
  );
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
  return {
    node,
    state,
    stateOptions,
    secrets,
    installation,
    /** Seals what is stored as text. */
    auditBox: textBox(secrets.box('stored secret')),
    /** Seals what waits to be forwarded, as the log of what was received. */
    recordBox: secrets.boxSetup('log record'),
    keyFingerprint: secrets.fingerprint,
    pseudonymKey: secrets.derive('pseudonyms of users').toString('hex'),
    log,
    internal,
    reporter,
    failures: createFailures({ logger, ...(selfReport && { report: reporter.report }) }),
    /** What nodes talk over; undefined where this one is alone. */
    nats,
    live: nats ? opened.use(await openSharedLive(nats)) : createLive(),
    /** Counts requests of addresses, with the other nodes. */
    openVisitors: nats ? opened.use(await openVisitorsOf(nats)).open : openOwnVisitors,
    /** What projects send, with the other nodes. */
    shareRates: nats && (await shareRatesOf(nats)),
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

async function openVisitorsOf(nats: Nats) {
  const { openSharedVisitors } = await import('../ingest/shared-visitors.ts');
  return openSharedVisitors(nats);
}

async function shareRatesOf(nats: Nats): Promise<ShareRates> {
  const { openSharedRates } = await import('../ingest/storm/shared-rates.ts');
  return () => openSharedRates(nats);
}

/** The key, as the state store knows it. */
async function claimSecrets(state: State, config: Config, logger: Logger) {
  const secrets = await openSecrets(config);
  const { before } = await claimState(state, secrets);
  if (before !== undefined) {
    logger.warn(
      { before, now: secrets.fingerprint, key: secrets.source },
      'the key changed. Enter channel secrets again; people have to sign in again. The previous key restores all of it',
    );
  }
  return secrets;
}
