/** Takes the data directory for this process, and keeps what another version left in it before anything of it is opened. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../base/config.ts';
import { lockDataDir, restoringProjectFolder } from '../base/data-dir.ts';
import { CodedError } from '../base/errors.ts';
import { openSecrets } from '../base/secrets/index.ts';
import { version } from '../base/version.ts';
import { prepareDataDir, type Prepared, versionBefore } from '../ports/restore-points/index.ts';

/** What lies elsewhere, no restore point here has. */
export const hasRestorePoints = ({ stateUrl, eventsUrl, restorePointDays }: Config): boolean =>
  !stateUrl && !eventsUrl && restorePointDays > 0;

/** The lock ends with `opened`. */
export async function openDataDir(config: Config, logger: Logger, opened: AsyncDisposableStack): Promise<void> {
  opened.use(await lockDataDir(config.dataDir));
  // Of a restore that was killed.
  await rm(join(config.dataDir, restoringProjectFolder), { recursive: true, force: true });
  tell(await prepareLocked(config), logger);
}

/** Only while the caller has the directory locked. */
export function prepareLocked(config: Config): Promise<Prepared> {
  const { dataDir, logMaxBytes } = config;
  return prepareDataDir({
    dataDir,
    logMaxBytes,
    box: async () => (await openSecrets(config)).boxSetup('log record'),
    wanted: hasRestorePoints(config),
  });
}

/** For a command that migrates: alone, or beside a server of this version. Throws `CodedError('VERSION_RUNS')`. */
export async function prepareForCommand(config: Config): Promise<void> {
  const { dataDir, stateUrl } = config;
  if (stateUrl || !(await versionBefore(dataDir)).isNew) return;
  const lock = await lockDataDir(dataDir).catch((error: unknown) => {
    if (!(error instanceof CodedError && error.code === 'DATA_DIR_IN_USE')) throw error;
    throw new CodedError('VERSION_RUNS', [dataDir, version], { cause: error });
  });
  await using opened = new AsyncDisposableStack();
  opened.use(lock);
  await prepareLocked(config);
}

function tell({ before, point, failure }: Prepared, logger: Logger): void {
  if (point) {
    const { linkedBytes, copiedBytes, files, tookMs } = point;
    logger.info(
      { before: before?.version, files, linkedBytes, copiedBytes, tookMs },
      'a restore point of the version before was created; "culprit downgrade" returns to it',
    );
  }
  if (failure !== undefined) {
    logger.warn(
      { before: before?.version, reason: failure },
      'a restore point of the version before could not be created; "culprit downgrade" cannot return to it',
    );
  }
}
