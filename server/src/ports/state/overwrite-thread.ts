/** The thread that writes the state store anew. */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import type { OverwriteSetup } from './overwrite.ts';

/** For the write lock; longer than any transaction of the program. */
const lockWaitMs = 15_000;

const { path } = workerData as OverwriteSetup;
const database = new DatabaseSync(path, { timeout: lockWaitMs });
database.exec('vacuum');
database.close();
