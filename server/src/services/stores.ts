/** The stores of telemetry, and what the state store holds sealed: for nodes that do more than receive. */
import type { Logger } from 'pino';
import type { Config } from '../base/config.ts';
import { authSecret } from '../domains/accounts/index.ts';
import { createAudit, sealOf } from '../domains/audit/index.ts';
import { createVault, sealStored } from '../domains/notify/index.ts';
import { openBlobs } from '../ports/blobs/open.ts';
import { openEvents } from '../ports/events/open.ts';
import { cleanOnce } from '../ports/state/key-claim.ts';
import type { Ground } from './ground.ts';

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** What was opened is closed with `opened`, the last first. */
export async function openStores(config: Config, logger: Logger, ground: Ground, opened: AsyncDisposableStack) {
  const { dataDir } = config;
  const { state, secrets, failures } = ground;
  const sealed = await openSealed(ground, logger);
  const auditSeal = sealOf(secrets);
  const blobsOptions = { url: config.blobsUrl, dataDir };
  const blobs = openBlobs(blobsOptions);
  const store = opened.use(
    await openEvents({ url: config.eventsUrl, blobsUrl: config.blobsUrl, dataDir, logger, failures }),
  );
  return {
    ...ground,
    ...sealed,
    auditSeal,
    audit: createAudit(state, auditSeal),
    blobs,
    blobsOptions,
    store,
    events: store.events,
  };
}

/** What the key seals in the state store; what an earlier version left there in the clear is sealed first. */
async function openSealed({ state, secrets }: Ground, logger: Logger) {
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
  return { vault, sessionSecret };
}
