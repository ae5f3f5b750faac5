/** Before a version opens a data directory for the first time: what the one before wrote is kept as it is. */
import type { BoxSetup } from '../../base/secrets/index.ts';
import { CodedError } from '../../base/errors.ts';
import { makePoint, removeLeftovers, type RestorePoint } from './points.ts';
import { refuseHalf } from './return.ts';
import { isKnown, isSame, readWrittenBy, thisProgram, writeWrittenBy, type WrittenBy } from './written-by.ts';

export interface PrepareOptions {
  readonly dataDir: string;
  readonly logMaxBytes: number;
  /** What records of the log are sealed with. */
  readonly box: () => Promise<BoxSetup>;
  /** False where a part of what is stored lies elsewhere, and where restore points are off. */
  readonly wanted: boolean;
}

export interface Prepared {
  /** What wrote the directory before; undefined where nothing is in it, or this version did. */
  readonly before: WrittenBy | undefined;
  readonly point: RestorePoint | undefined;
  /** Why there is none where one was wanted. */
  readonly failure: string | undefined;
}

/**
 * Whether another version wrote the directory. Throws `CodedError('DATA_DIR_NEWER')` where this one does not know all that
 * it has, and `CodedError('DOWNGRADE_INTERRUPTED')`.
 */
export async function versionBefore(dataDir: string): Promise<{ isNew: boolean; before: WrittenBy | undefined }> {
  await refuseHalf(dataDir);
  const before = await readWrittenBy(dataDir);
  if (!before) return { isNew: true, before };
  if (!isKnown(before)) throw new CodedError('DATA_DIR_NEWER', [dataDir, before.version, thisProgram.version]);
  return { isNew: !isSame(before, thisProgram), before };
}

/** Only while the caller has the directory locked, and before anything in it is opened. */
export async function prepareDataDir({ dataDir, wanted, logMaxBytes, box }: PrepareOptions): Promise<Prepared> {
  const { isNew, before } = await versionBefore(dataDir);
  if (!isNew) return { before: undefined, point: undefined, failure: undefined };
  await removeLeftovers(dataDir);
  let point: RestorePoint | undefined;
  let failure: string | undefined;
  if (before && wanted) {
    try {
      point = await makePoint({ dataDir, from: before, logMaxBytes, box: await box() });
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
  }
  await writeWrittenBy(dataDir, thisProgram);
  return { before, point, failure };
}
