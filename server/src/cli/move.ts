import { resolve } from 'node:path';
import { type Config, withoutPassword } from '../base/config.ts';
import { lockDataDir } from '../base/data-dir.ts';
import { CodedError } from '../base/errors.ts';
import { move as texts } from '../base/texts/move.ts';
import { things } from '../base/texts/things.ts';
import { forgetJournal, readMoved, removeMoved, type StoreName } from '../domains/move/index.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { moveBack } from './move-back.ts';
import { moveOut, type Urls } from './move-out.ts';
import { readStdin } from './stores.ts';

export const moveCommand: Command = {
  name: 'move',
  summary: texts.summary,
  usage: texts.usage,
  options: {
    to: { type: 'boolean', help: texts.to },
    'dry-run': { type: 'boolean', help: texts.dryRun },
    rate: { type: 'string', placeholder: 'SIZE', help: texts.rate },
    undo: { type: 'boolean', help: texts.undo },
  },
  words: 4,
  examples: [
    'culprit move --to postgres://culprit@db/culprit https://clickhouse:8443/culprit s3://bucket?region=eu-west-1',
    'culprit move --to postgres://culprit@db/culprit --dry-run',
    'culprit move --to postgres://culprit@db/culprit https://clickhouse:8443/culprit --rate 50m',
    'culprit move --to /var/lib/culprit-back',
    'culprit move --to - < urls.txt',
    'culprit move --undo',
  ],
  async run(invocation) {
    const { flag } = invocation;
    if (flag('undo')) return undo(invocation);
    const words = invocation.words[0] === '-' ? (await readStdin()).split(/\s+/).filter(Boolean) : invocation.words;
    if (!words.length) throw new UsageError(texts.nothing);
    const [first = ''] = words;
    if (words.length === 1 && !/^\w+:\/\//.test(first)) return moveBack(invocation, resolve(first));
    await moveOut(invocation, readUrls(words, invocation.config));
  },
};

const protocols: Readonly<Record<string, StoreName>> = {
  'postgres:': 'state',
  'postgresql:': 'state',
  'http:': 'events',
  'https:': 'events',
  's3:': 'blobs',
  'nats:': 'log',
  'tls:': 'log',
};

function readUrls(words: readonly string[], config: Config): Urls {
  const urls: Urls = {};
  for (const word of words) {
    // Keys of S3 have characters that no URL has.
    const store = protocols[/^[a-z0-9+]+:(?=\/\/)/.exec(word)?.[0] ?? ''];
    if (!store) throw new UsageError(texts.unknownPlace(withoutPassword(word)));
    if (urls[store] !== undefined) throw new UsageError(texts.twice(store));
    if (config[`${store}Url`] !== '') throw new UsageError(texts.already(store));
    urls[store] = word;
  }
  return urls;
}

async function undo({ config, print }: Invocation): Promise<void> {
  const { dataDir } = config;
  await using _ = await lockDataDir(dataDir);
  if (!(await readMoved(dataDir)))
    throw new CodedError('NOT_FOUND', [things.installation(dataDir)], { hint: texts.notMoved(dataDir) });
  await removeMoved(dataDir);
  await forgetJournal(dataDir);
  print({ dataDir }, [texts.undone(dataDir)]);
}
