import { resolve } from 'node:path';
import { restoring as texts } from '../base/texts/backups.ts';
import { openRepository, restoreBackup } from '../domains/backups/index.ts';
import { backup as backupTexts } from '../base/texts/backups.ts';
import { credentialOf, findBackup } from './backup.ts';
import { type Command, UsageError } from './command.ts';
import { createProgressLine } from './progress-line.ts';

export const restoreCommand: Command = {
  name: 'restore',
  summary: texts.summary,
  usage: texts.usage,
  options: {
    'passphrase-file': { type: 'string', placeholder: 'FILE', help: backupTexts.passphrase },
    project: { type: 'string', placeholder: 'SLUG', help: texts.project },
    'without-key': { type: 'boolean', help: texts.withoutKey },
  },
  words: 2,
  examples: [
    'culprit restore /mnt/backups/culprit --data-dir /var/lib/culprit',
    'culprit restore /mnt/backups/culprit --project web --data-dir /var/lib/culprit-web',
    'culprit restore /mnt/backups/culprit 20261126t033000-5f3a1c --data-dir /tmp/drill --key-file /etc/culprit/secret.key',
  ],
  async run(invocation) {
    const { config, words, flag, text, print } = invocation;
    const dir = words[0] ?? config.backupDir;
    if (!dir) throw new UsageError(texts.dirNeeded);
    const repository = openRepository({ dir: resolve(dir), credential: await credentialOf(invocation) });
    const { id } = findBackup(repository.list().summaries, words[1]);
    const began = performance.now();
    using progress = createProgressLine(backupTexts.progress);
    const { summary, hasKey, deleted, deletionsUntil } = await restoreBackup(repository, {
      dataDir: config.dataDir,
      id,
      key: config,
      withoutKey: flag('without-key'),
      project: text('project'),
      onProgress: progress.show,
    });
    progress.end();
    const { counts, log, url } = summary;
    const of = (name: string): number => counts[name] ?? 0;
    print({ ...summary, dataDir: config.dataDir, hasKey, deleted, deletionsUntil }, [
      texts.done(id, config.dataDir, Math.round((performance.now() - began) / 100) / 10),
      texts.as(summary.snapshotAt),
      ...(text('project') === undefined ? [] : [texts.onlyProject(text('project') ?? '')]),
      texts.counts(of('errors'), of('spans'), of('logs'), of('issues'), of('projects')),
      ...(log.records > 0 ? [texts.queued(log.records)] : []),
      ...(deleted && deleted.projects + deleted.issues > 0 ? [texts.deleted(deleted.projects, deleted.issues)] : []),
      deleted && deletionsUntil ? texts.deletionsUntil(deletionsUntil) : texts.noDeletions,
      ...(hasKey ? [] : [texts.withoutKeyDone]),
      ...(url ? [texts.address(url)] : []),
      texts.next,
    ]);
  },
};
