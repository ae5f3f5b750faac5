import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataDir, restoringFolder } from '../base/data-dir.ts';
import { CodedError } from '../base/errors.ts';
import { backup as backupTexts, restoreInto as intoTexts, restoring as texts } from '../base/texts/backups.ts';
import { openRepository, type Repository, restoreBackup, restoreInto } from '../domains/backups/index.ts';
import { drainLog } from '../services/index.ts';
import { prepareLocked } from '../services/data-dir.ts';
import { byCommand, openAudit } from './audited.ts';
import { credentialOf, findBackup, targetOf } from './backup.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { createProgressLine } from './progress-line.ts';

export const restoreCommand: Command = {
  name: 'restore',
  summary: texts.summary,
  usage: texts.usage,
  options: {
    'passphrase-file': { type: 'string', placeholder: 'FILE', help: backupTexts.passphrase },
    project: { type: 'string', placeholder: 'SLUG', help: texts.project },
    as: { type: 'string', placeholder: 'SLUG', help: texts.otherName },
    'without-key': { type: 'boolean', help: texts.withoutKey },
  },
  words: 2,
  examples: [
    'culprit restore /mnt/backups/culprit --data-dir /var/lib/culprit',
    'culprit restore /mnt/backups/culprit --project web --data-dir /var/lib/culprit-web',
    'culprit restore /mnt/backups/culprit --project web --as acme/web-restored --data-dir /var/lib/culprit',
    'culprit restore /mnt/backups/culprit 20261126t033000-5f3a1c --data-dir /tmp/drill --key-file /etc/culprit/secret.key',
  ],
  async run(invocation) {
    const { config, words, text } = invocation;
    const dir = words[0] ?? config.backupDir;
    if (!dir) throw new UsageError(texts.dirNeeded);
    const repository = await openRepository({ dir: targetOf(dir), credential: await credentialOf(invocation) });
    const { id } = findBackup((await repository.list()).summaries, words[1]);
    const project = text('project');
    // One that is being restored whole is no installation yet.
    const has = (name: string): boolean => existsSync(join(config.dataDir, name));
    const isInstallation = (has('state.db') || config.stateUrl !== '') && !has(restoringFolder);
    if (project !== undefined && isInstallation) return add(invocation, repository, id, project);
    if (text('as') !== undefined) throw new UsageError(texts.asNeedsProject);
    return restore(invocation, repository, id);
  },
};

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10;

async function restore({ config, flag, text, print }: Invocation, repository: Repository, id: string): Promise<void> {
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
    texts.done(id, config.dataDir, secondsSince(began)),
    texts.as(summary.snapshotAt),
    ...(text('project') === undefined ? [] : [texts.onlyProject(text('project') ?? '')]),
    texts.counts(of('errors'), of('spans'), of('logs'), of('issues'), of('projects')),
    ...(log.records > 0 ? [texts.queued(log.records)] : []),
    ...(deleted && deleted.projects + deleted.issues + deleted.people > 0
      ? [texts.deleted(deleted.projects, deleted.issues, deleted.people)]
      : []),
    deleted && deletionsUntil ? texts.deletionsUntil(deletionsUntil) : texts.noDeletions,
    ...(hasKey ? [] : [texts.withoutKeyDone]),
    ...(url ? [texts.address(url)] : []),
    texts.next,
  ]);
}

/** One project, to those that are there. */
async function add(
  { config, flag, text, print }: Invocation,
  repository: Repository,
  id: string,
  project: string,
): Promise<void> {
  const { dataDir, retentionDays } = config;
  if (config.stateUrl || config.eventsUrl || config.blobsUrl) {
    throw new CodedError('RESTORE_REFUSED', [dataDir, intoTexts.embedded]);
  }
  const began = performance.now();
  using progress = createProgressLine(backupTexts.progress);
  await using _ = await lockDataDir(dataDir);
  await prepareLocked(config);
  const manifest = await repository.manifest(id);
  const made = await restoreInto(repository, manifest, {
    dataDir,
    id,
    key: config,
    withoutKey: flag('without-key'),
    retentionDays,
    project,
    as: text('as'),
    onProgress: progress.show,
    onStep: (step) => progress.say(texts.steps[step]),
    drain: (place) => drainLog(place, config),
    openAudit: (state) => openAudit(config, state),
    by: byCommand('restore'),
  });
  progress.end();
  const { rows, issues, keysTaken, formerId, lost, deletionsUntil } = made;
  print({ ...made, dataDir }, [
    texts.added(made.organization, made.slug, dataDir, secondsSince(began)),
    texts.as(manifest.summary.snapshotAt),
    texts.addedCounts(rows.errors ?? 0, rows.spans ?? 0, rows.logs ?? 0, issues),
    ...(made.id === formerId ? [] : [texts.otherId(formerId, made.id)]),
    ...(keysTaken > 0 ? [texts.keysTaken(keysTaken)] : []),
    ...(lost > 0 ? [texts.lost(lost)] : []),
    deletionsUntil ? texts.deletionsUntil(deletionsUntil) : texts.noDeletions,
    texts.left,
    texts.next,
  ]);
}
