/** `culprit downgrade`: back to the restore point of an upgrade, with the events received since. */
import { statfs } from 'node:fs/promises';
import type { Config } from '../base/config.ts';
import { type DataDirLock, lockDataDir } from '../base/data-dir.ts';
import { CodedError } from '../base/errors.ts';
import { findSecrets } from '../base/secrets/index.ts';
import { dataDirectory } from '../base/texts/stores.ts';
import { things } from '../base/texts/things.ts';
import { downgrade as texts } from '../base/texts/upgrade.ts';
import {
  type Changes,
  changesSince,
  engineGone,
  finishReturn,
  isReturning,
  listPoints,
  lookAhead,
  removeLeftovers,
  type RestorePoint,
  returnTo,
} from '../ports/restore-points/index.ts';
import type { Returning } from '../ports/queue/rewind.ts';
import { readRunning } from '../running.ts';
import { ask } from './ask.ts';
import type { Command, Invocation } from './command.ts';

export const downgradeCommand: Command = {
  name: 'downgrade',
  summary: texts.summary,
  usage: '[--to VERSION] [--yes] [--json]',
  options: {
    to: { type: 'string', placeholder: 'VERSION', help: texts.to },
    yes: { type: 'boolean', help: texts.yes },
  },
  examples: ['culprit downgrade', 'culprit downgrade --to 0.2.0 --yes'],
  async run(invocation) {
    const { config, print } = invocation;
    await using opened = new AsyncDisposableStack();
    opened.use(await lock(config));
    await engineGone(config.dataDir);
    const begun = await isReturning(config.dataDir);
    if (begun) {
      await finishReturn(config.dataDir, begun);
      print({ version: begun.from.version, continued: true }, [texts.continued, texts.done(begun.from.version)]);
      return 0;
    }
    await removeLeftovers(config.dataDir);
    const point = choose(await listPoints(config.dataDir), invocation);
    return await goBack(point, invocation);
  },
};

async function lock({ dataDir }: Config): Promise<DataDirLock> {
  try {
    return await lockDataDir(dataDir);
  } catch (error) {
    if (!(error instanceof CodedError && error.code === 'DATA_DIR_IN_USE')) throw error;
    const owner = (await readRunning(dataDir))?.pid ?? dataDirectory.unknownOwner;
    throw new CodedError('DATA_DIR_IN_USE', [dataDir, owner], { cause: error, hint: texts.running });
  }
}

function choose(points: readonly RestorePoint[], { config, text }: Invocation): RestorePoint {
  const to = text('to');
  const found = points.findLast(({ from }) => to === undefined || from.version === to);
  if (found) return found;
  const versions = points.map(({ from }) => from.version);
  const hint = to === undefined || !versions.length ? texts.none(config.dataDir) : texts.noneOf(to, versions);
  throw new CodedError('NOT_FOUND', [things.restorePoint], { hint });
}

async function goBack(point: RestorePoint, { config, flag, json, print }: Invocation): Promise<number> {
  const { dataDir, logMaxBytes } = config;
  const { version } = point.from;
  const back = await lookAhead({ dataDir, point, logMaxBytes });
  const changes = changesSince(dataDir, point.at);
  if (!json) for (const line of describe(point, back, changes)) process.stderr.write(`${line}\n`);
  if (!flag('yes') && !(await ask(texts.ask))) {
    process.stderr.write(`${texts.refused}\n`);
    return 1;
  }
  await checkRoom(dataDir, (back?.bytes ?? 0) + (point.log?.bytes ?? 0));
  const secrets = await findSecrets(config);
  if (!secrets) throw new CodedError('NOT_FOUND', [things.key]);
  const box = secrets.boxSetup('log record');
  const progress = process.stderr.isTTY
    ? (records: number) => void process.stderr.write(`\r${texts.progress(records)}`)
    : undefined;
  const rewound = await returnTo({ dataDir, point, logMaxBytes, box, ...(progress && { progress }) });
  if (progress) process.stderr.write('\n');
  const { unreadable = 0, records = 0 } = rewound ?? {};
  print(
    { version, at: new Date(point.at).toISOString(), requests: records, unreadable, lost: back?.gone ?? 0, changes },
    [...(unreadable > 0 ? [texts.unreadable(unreadable)] : []), texts.done(version)],
  );
  return 0;
}

function describe(point: RestorePoint, back: Returning | undefined, changes: Changes): string[] {
  const { issues, settings, uploads, deletions } = changes;
  const lost = Object.entries({ issues, settings, uploads } as const).flatMap(([name, count]) =>
    count > 0 ? [texts.changes[name as 'issues'](count)] : [],
  );
  return [
    texts.title(point.from.version, point.at),
    ...(back ? [texts.comesBack(Math.max(0, back.since - back.gone))] : []),
    ...(back?.stopped ? [texts.gone(back.stopped.at, back.gone)] : []),
    ...(back && back.since > back.gone ? [texts.alerts] : []),
    ...(lost.length ? [texts.lost, ...lost] : []),
    ...(deletions > 0 ? [texts.deletions(deletions)] : []),
  ];
}

/** The log is written anew before anything goes. */
async function checkRoom(dataDir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const needed = 1.5 * bytes + 64 * 2 ** 20;
  if (bavail * bsize < needed) {
    throw new CodedError('DATA_DIR_UNUSABLE', [dataDir, texts.noRoom(bavail * bsize, needed)]);
  }
}
