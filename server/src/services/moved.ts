/** What a start does about a move: it refuses stores that were left, and waits for those that are not whole yet. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, settings } from '../base/config.ts';
import { CodedError } from '../base/errors.ts';
import { move as texts } from '../base/texts/move.ts';
import { readMark, readMoved, storeNames } from '../domains/move/index.ts';
import type { State } from '../ports/state/state.ts';
import { type ForwardOptions, forwardRest } from './forward.ts';

const pollMs = 200;

/** What the server before had received and not sent on goes to the log that it has moved to. */
export async function forwardLeft(
  config: Config,
  { secrets, installation }: Pick<ForwardOptions, 'secrets' | 'installation'>,
  logger: Logger,
): Promise<void> {
  const moved = await readMoved(config.dataDir);
  if (moved?.to.log === undefined || config.logUrl === '') return;
  const records = await forwardRest({ config, secrets, logUrl: config.logUrl, installation });
  if (records > 0) logger.info({ records }, 'requests from before the move were forwarded');
}

/** Throws `CodedError('MOVED')` where the settings still name what the installation has left. */
export async function refuseIfMoved(config: Config): Promise<void> {
  const moved = await readMoved(config.dataDir);
  const left = storeNames.filter((name) => moved?.to[name] !== undefined && config[`${name}Url`] === '');
  if (!moved || !left.length) return;
  throw new CodedError('MOVED', [
    texts.goneTo(
      left.map((name) => moved.to[name] ?? ''),
      left.map((name) => settings[`${name}Url`].env),
    ),
  ]);
}

/** Resolves once a move to this state store is complete. Throws `CodedError('MOVED')` where the installation has left it. */
export async function waitForMove(state: State, logger: Logger): Promise<void> {
  for (let isTold = false; ; isTold = true) {
    const mark = await readMark(state);
    if (mark?.kind === 'gone') throw new CodedError('MOVED', [texts.goneToDir(mark.to)]);
    if (!mark) return;
    if (!isTold) logger.warn({ from: mark.from }, texts.waits);
    await delay(pollMs);
  }
}
