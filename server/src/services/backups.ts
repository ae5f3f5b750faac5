/** Backups of all that the program has open. */
import type { Config } from '../base/config.ts';
import type { Job } from '../base/jobs/index.ts';
import { readKeyText, textBox } from '../base/secrets/index.ts';
import {
  type Backups,
  createBackups,
  createDeletionsJob,
  parseKeep,
  readCredential,
  type Schedule,
} from '../domains/backups/index.ts';
import type { Later } from './later.ts';
import type { Stores } from './stores.ts';

export interface BackupService extends Pick<Backups, 'health'> {
  readonly jobs: readonly Job[];
}

export function openBackups(config: Config, stores: Stores, later: Later): BackupService {
  const { node, state, failures, log, secrets, store } = stores;
  const schedule = scheduleOf(config);
  const { job, health } = createBackups({
    node,
    state,
    failures,
    schedule,
    getUrl: () => later.url,
    box: textBox(secrets.box('stored secret')),
    installation: async () => ({
      dataDir: config.dataDir,
      stateUrl: config.stateUrl,
      blobsUrl: config.blobsUrl,
      url: later.url,
      log: log.embedded,
      events: store.engine && store.events.address,
      key: { fingerprint: secrets.fingerprint, text: await readKeyText(config) },
    }),
  });
  return { health, jobs: schedule ? [job, createDeletionsJob({ state, ...schedule })] : [job] };
}

function scheduleOf(config: Config): Schedule | undefined {
  const { backupDir, backupSchedule, backupKeep, backupRate } = config;
  if (backupDir === '') return undefined;
  return {
    dir: backupDir,
    expression: backupSchedule,
    options: { rate: backupRate, keep: parseKeep(backupKeep) },
    credential: () => readCredential(config),
  };
}
