/** An events store with all tables and no rows, for tests. */
import { type OpenedEvents, openEvents, openOnEngine } from '../open.ts';
import { explainForPair, writeClusterConfig } from './cluster.ts';
import { giveBackEngine, takeEngine } from './engines.ts';
import { layTables, retentionDays } from './template.ts';

export interface PreparedOptions {
  /** The engine's own files lie in the directory, too, and it is nobody's afterwards. */
  readonly isWhole?: boolean;
}

/**
 * Payloads and index lie in the directory, which is left as it is; the engine is one that other files of tests had, and
 * will have.
 */
export async function openPreparedEvents(
  dataDir: string,
  { isWhole = false }: PreparedOptions = {},
): Promise<OpenedEvents> {
  const store = await (isWhole ? openWhole(dataDir) : openShared(dataDir));
  await store.prepare({ retentionDays });
  const refusals = explainForPair(store.events);
  const close = async (): Promise<void> => {
    const refused = await refusals();
    await store.close();
    if (refused.length > 0) throw new AggregateError(refused, String(refused[0]));
  };
  return { ...store, close, [Symbol.asyncDispose]: close };
}

async function openWhole(dataDir: string): Promise<OpenedEvents> {
  await layTables(dataDir);
  return openEvents({ url: '', dataDir, engineConfig: writeClusterConfig(dataDir) });
}

async function openShared(dataDir: string): Promise<OpenedEvents> {
  const taken = await takeEngine();
  const store = await openOnEngine(taken.engine, { dataDir });
  const close = async (): Promise<void> => {
    await store.close();
    await giveBackEngine(taken);
  };
  return { ...store, close, [Symbol.asyncDispose]: close };
}
