/** What nodes have that do more than receive: all stores, the services of domains, the list of jobs. */
import type { Logger } from 'pino';
import type { Config } from '../base/config.ts';
import type { Job } from '../base/jobs/index.ts';
import { openBackups } from './backups.ts';
import { openDomains } from './domains.ts';
import type { Ground } from './ground.ts';
import type { Intake } from './intake.ts';
import { listJobs } from './jobs.ts';
import type { Later } from './later.ts';
import { createPointKeeper } from './point-keeper.ts';
import { openProcessing, type Processing } from './processing.ts';
import { openStores } from './stores.ts';

export type Work = Awaited<ReturnType<typeof openWork>>;

export async function openWork(
  config: Config,
  logger: Logger,
  { ground, intake }: { readonly ground: Ground; readonly intake: Intake },
  later: Later,
  opened: AsyncDisposableStack,
) {
  const stores = await openStores(config, logger, ground, opened);
  const domains = await openDomains(config, logger, stores, intake, later, opened);
  const backups = openBackups(config, stores, later);
  const jobs: readonly Job[] = [
    ...listJobs(config, stores, domains, later),
    ...backups.jobs,
    createPointKeeper(config, stores.log, logger),
  ];
  const process = (): Processing => openProcessing(config, logger, stores, later, () => domains.examiner.wake());
  return { stores, domains, backups, jobs, process };
}
