/** Whose question is being answered, for what is done for it at any depth: shares are by person, and who leaves is not answered. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Asker {
  /** The same for all questions of one person. */
  readonly key: string;
  /** Aborted when nobody waits for the answer any more; unset where the work is to be finished all the same. */
  readonly signal?: AbortSignal | undefined;
}

const askers = new AsyncLocalStorage<Asker | undefined>();

/** What `work` does is done for the asker; for nobody where several share what comes of it. */
export const askedBy = <T>(asker: Asker | undefined, work: () => T): T => askers.run(asker, work);

export const currentAsker = (): Asker | undefined => askers.getStore();
