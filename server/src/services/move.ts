/** The running server's part of `culprit move`: it stops changing its stores, and goes on, or leaves them. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../base/config.ts';
import { CodedError } from '../base/errors.ts';
import { move as texts } from '../base/texts/move.ts';
import { version } from '../base/version.ts';
import { type ControlServer, type Moved, type MoveHost, openControl, writeMoved } from '../domains/move/index.ts';
import type { Runner } from '../jobs/index.ts';
import type { HeldLog } from '../ports/queue/log.ts';
import { forwardLog } from './forward.ts';
import type { Later } from './later.ts';
import type { Stores } from './stores.ts';

/** Batches, requests and jobs end within this time, or the server goes on as before. */
const endsWithinMs = 15_000;
const pollMs = 10;

export interface MoveHostOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly stores: Stores;
  readonly later: Later;
  readonly runner: Runner;
  /** Ends the program in order. */
  readonly stop: () => void;
}

export function openMoveControl(options: MoveHostOptions): Promise<ControlServer> {
  const { stores } = options;
  return openControl(createHost(options), {
    version,
    onFailure: (error) => stores.failures.note(error, { message: 'a command that moves this installation failed' }),
  });
}

function createHost({ config, logger, stores, later, runner, stop }: MoveHostOptions): MoveHost {
  const state = later.moving;
  const { log, store, events, secrets, installation } = stores;
  let held: HeldLog | undefined;
  /** Of the freeze that is the last one: what an earlier one still waits for is over. */
  let current: object | undefined;

  const thaw = (): void => {
    current = undefined;
    state.movingTo = undefined;
    held?.[Symbol.dispose]();
    held = undefined;
    runner.resume();
  };

  async function freeze(to: string): Promise<void> {
    const own = {};
    current = own;
    state.movingTo = to;
    const endsAt = performance.now() + endsWithinMs;
    const refuseIfOver = (what: string): void => {
      if (current !== own) throw new CodedError('MOVE_REFUSED', [texts.thawed]);
      if (performance.now() > endsAt) throw new CodedError('MOVE_REFUSED', [texts.busy(what)]);
    };
    const jobsEnd = runner.hold();
    const mine = await log.embedded?.hold();
    if (current !== own) mine?.[Symbol.dispose]();
    else held = mine;
    for (const [what, isOver] of [
      [texts.batches, () => (later.pipeline?.stats().inFlight ?? 0) === 0],
      [texts.writes, () => state.writes === 0],
    ] as const) {
      while (!isOver()) {
        refuseIfOver(what);
        await delay(pollMs);
      }
    }
    const quiet = jobsEnd.then(() => true);
    while (!(await Promise.race([quiet, delay(pollMs, false)]))) refuseIfOver(texts.jobs);
    refuseIfOver(texts.jobs);
    logger.info({ to }, 'changes are refused while the installation moves');
  }

  async function commit(moved: Moved, logUrl: string): Promise<void> {
    await writeMoved(config.dataDir, moved);
    state.movedTo = Object.values(moved.to).join(', ');
    logger.info({ to: moved.to }, 'the installation has moved');
    if (logUrl === '') {
      setImmediate(stop);
      return;
    }
    // Batches are only read on from here, by nobody who stores them.
    await later.pipeline?.close(0);
    held?.[Symbol.dispose]();
    held = undefined;
    const forwarding = forwardLog(log, { config, secrets, installation, logUrl }, stores.failures);
    state.finish = () => forwarding.end();
  }

  return {
    freeze,
    thaw,
    commit,
    async end() {
      if (!store.engine || state.movedTo !== undefined) return;
      const tables = await events.query<{ name: string }>(
        `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
      );
      for (const { name } of tables) await events.command(`SYSTEM START MERGES ${name}`);
    },
  };
}
