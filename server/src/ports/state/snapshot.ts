/** A moment of the state store on this machine, held while others write on. For a thread that nobody waits for. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

/** Longer than any transaction of the program. */
const lockWaitMs = 15_000;
const pagesAtOnce = 256;

export interface HeldState extends Disposable {
  /** From now on others may write. */
  letGo(): void;
  /** Writes it as it was when it was held, to a file that is not there yet. */
  copyTo(path: string, onStep?: () => void): Promise<void>;
}

export const stateFile = (dataDir: string): string => join(dataDir, 'state.db');

/** Undefined where there is none. Nobody else writes from when it returns until `letGo`. */
export function holdSqlite(dataDir: string): HeldState | undefined {
  const path = stateFile(dataDir);
  if (!existsSync(path)) return undefined;
  const writer = new DatabaseSync(path, { timeout: lockWaitMs });
  const reader = new DatabaseSync(path, { readOnly: true });
  const letGo = (): void => {
    if (writer.isOpen) writer.close();
  };
  try {
    writer.exec('begin immediate');
    // A transaction begins with its first statement.
    reader.exec('begin');
    reader.prepare('select count(*) from sqlite_schema').get();
  } catch (error) {
    letGo();
    reader.close();
    throw error;
  }
  return {
    letGo,
    async copyTo(copy, onStep = () => undefined) {
      await backup(reader, copy, { rate: pagesAtOnce, progress: onStep });
    },
    [Symbol.dispose]() {
      letGo();
      if (reader.isOpen) reader.close();
    },
  };
}
