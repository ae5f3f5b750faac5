/** Backups: what a repository, its keys and a restore say. */
import { listed, number, plural, pluralForm, utcMinute, withUnit } from './intl.ts';

/** Why a repository does not open. */
export const credential = {
  missing: {
    passphrase: 'a passphrase is needed. Give --passphrase-file, or set CULPRIT_BACKUP_PASSPHRASE',
    key: 'its key file is needed. Give --backup-key-file, or set CULPRIT_BACKUP_KEY_FILE',
  },
  otherKind: {
    passphrase: 'it is encrypted with a passphrase, not with a key file',
    key: 'it is encrypted with a key file, not with a passphrase',
  },
  wrong: { passphrase: 'the passphrase is wrong', key: 'the key file is not the one that it was made with' },
  short: {
    passphrase: (least: number) => `the passphrase needs at least ${least} characters`,
    key: (least: number) => `the key file needs at least ${least} characters`,
  },
  unreadable: (path: string, why: string) => `${path} cannot be read: ${why}`,
  both: 'give a passphrase or a key file, not both',
} as const;

export const repository = {
  none: 'there is no backup in it',
  foreign: 'it contains other files. Choose an empty directory, or one with backups',
  newer: 'it was written by a newer version of Culprit. Use that version',
  unsealed: (dir: string) =>
    `the backups in ${dir} are not encrypted. Leave the passphrase or key out, or use another directory`,
  inUse: (host: string, pid: number) => `process ${pid} on ${host} is writing to it. Wait for it to finish`,
  failed: (digest: string) => `The backup failed. Search the log of the server for ${digest}.`,
  inData: 'it is the data directory, or lies inside it. A backup belongs on another disk',
  inBlobs: 'the blobs of the installation lie there. Use another bucket or prefix',
} as const;

/** What the system says of the place, by its code. */
export const placeProblems: Readonly<Record<string, string>> = {
  ENOTDIR: 'it is not a directory, or a part of its path is not',
  EACCES: 'the user that runs this lacks permission. Change the owner of the directory, or run it as another user',
  EPERM: 'the user that runs this lacks permission. Change the owner of the directory, or run it as another user',
  EROFS: 'it is on a read-only file system. Mount it writable, or choose another directory',
  ENOSPC: 'the disk is full. Free space, or choose another disk',
  EDQUOT: 'the quota of the disk is used up. Free space, or choose another disk',
  EIO: 'the disk or mount reports an I/O error. Check it',
  ESTALE: 'the mount is stale. Mount it again',
  ELOOP: 'it is a symbolic link to itself',
  ENAMETOOLONG: 'its name is too long',
};

/** What is wrong with a file of a backup. */
export const damage = {
  cut: 'it ends too early',
  surplus: 'it is longer than it was',
  foreign: 'it is not a file of this backup',
  changed: 'its content was changed, or it was written with another key',
  missing: 'it is missing',
  path: 'it names a file outside of the data directory',
} as const;

export const restore = {
  notEmpty: (names: readonly string[]) =>
    `it contains ${listed(names, 'and')}. Choose an empty one with --data-dir, or move those files away`,
  unfinished: 'a restore into it was interrupted. Run "culprit restore" again, or delete its folder "restoring"',
  keyNeeded: (fingerprint: string) =>
    `the backup does not contain the key ${fingerprint} that seals secrets and queued events. Give that file with --key-file, or continue without it with --without-key`,
  keyOther: (fingerprint: string, found: string) =>
    `the key here is ${found}, but the backup was sealed with ${fingerprint}. Give that file with --key-file, or continue without it with --without-key`,
  postgres: 'the state store of the backup is not in it. Restore PostgreSQL from its own backup',
} as const;

/** One project into an installation that has others. */
export const restoreInto = {
  elsewhere: 'the state store or the events store of the backup is not in it',
  embedded:
    'one project can only be added to an installation that has all of its data in this directory. Restore it into an empty directory instead',
  badSlug: (slug: string) => `"${slug}" is no slug. Use lower-case letters, digits and hyphens`,
  organization: (slugs: readonly string[]) =>
    slugs.length === 0
      ? 'This installation has no organization yet. Run "culprit init" first'
      : `Say which organization gets the project: --as ${slugs[0] ?? ''}/SLUG. There are ${listed(slugs, 'and')}`,
  otherSlug: (organization: string) => `Restore under another one: --as ${organization}/SLUG`,
} as const;

const bytesOf = (bytes: number): string => {
  const rounded = (unit: number): number => Math.round((bytes / unit) * 10) / 10;
  if (bytes >= 2 ** 30) return withUnit(rounded(2 ** 30), 'GiB');
  return bytes >= 2 ** 20 ? withUnit(rounded(2 ** 20), 'MiB') : withUnit(Math.ceil(bytes / 1024), 'KiB');
};

const elsewhereNames = {
  state: 'PostgreSQL (use pg_dump)',
  events: 'ClickHouse (use its BACKUP command)',
  log: 'the log in NATS (use nats stream backup)',
  blobs: 'blobs on S3 (use its versioning or replication)',
} as const;

export const backup = {
  summary: 'Backs up the installation to a directory or to S3, while the server runs or while it is stopped.',
  usage:
    'DIR|s3://… | verify DIR [ID] | list DIR  [--rate 50m] [--keep daily=7,weekly=4,monthly=6] [--passphrase-file FILE]',
  rate: 'most bytes a second, such as 50m (default: no limit)',
  keep: 'remove older backups, but the newest of each of the last days, weeks and months (default: none)',
  passphrase: 'file with the passphrase that encrypts the backups (default: CULPRIT_BACKUP_PASSPHRASE)',
  keyFile: 'file with the key that encrypts the backups, instead of a passphrase',
  dirNeeded: 'A directory is required: culprit backup DIR',
  badAddress: (reason: string) => `The S3 address is not valid: ${reason}.`,
  progress: (done: number, of: number, percent: number) => `  ${percent} %  ${bytesOf(done)} of ${bytesOf(of)}`,
  waiting: (pid: string) => `The server (process ${pid}) takes the backup.`,
  notTaken: 'The running server did not take the request. It may be an older version: restart it, or stop it first',
  done: (id: string, seconds: number) => `Backup ${id} is complete (${withUnit(seconds, 's')}).`,
  size: (bytes: number, stored: number, added: number) =>
    `${bytesOf(bytes)} in ${bytesOf(stored)}, of which ${bytesOf(added)} are new.`,
  removed: (count: number, freed: number) => `Removed ${plural(count, 'older backup')} (${bytesOf(freed)}).`,
  keyIn: (fingerprint: string) =>
    `It contains the key ${fingerprint}. A restore needs the passphrase or key file of the backup only.`,
  keyOut: (fingerprint: string, source: string) =>
    `It does not contain the key ${fingerprint}. A restore needs ${source}: keep a copy of it elsewhere.`,
  elsewhere: (which: readonly (keyof typeof elsewhereNames)[]) =>
    `Not in this backup: ${listed(
      which.map((each) => elsewhereNames[each]),
      'and',
    )}.`,
  none: (dir: string) => `No backups in ${dir}.`,
  columns: ['backup', 'taken', 'size', 'new', 'events', 'issues'],
  row: (id: string, at: number, stored: number, added: number, events: number, issues: number) => [
    id,
    utcMinute(at),
    bytesOf(stored),
    bytesOf(added),
    number(events),
    number(issues),
  ],
  unreadable: (name: string) => `${name} cannot be read.`,
  newest: 'a backup',
  badRate: (text: string) => `"${text}" is not a rate. Use one such as 50m`,
  badKeep: (text: string) => `"${text}" does not say what to keep. Use daily=7,weekly=4,monthly=6`,
  verified: (id: string, objects: number, bytes: number) =>
    `${id}: ${plural(objects, 'object')} verified (${bytesOf(bytes)})`,
  broken: (id: string, count: number) => `${id}: DAMAGED, ${plural(count, 'problem')}`,
  problem: (text: string) => `  ${text}`,
} as const;

/** On Health, and in mail to owners. */
export const health = {
  title: 'Backups of Culprit need attention',
  failed: (reason: string) => `The last scheduled backup failed: ${reason}`,
  overdue: (at: number | undefined) =>
    at === undefined
      ? 'The first scheduled backup is overdue.'
      : `Backups are overdue. The last one is of ${utcMinute(at)}.`,
} as const;

export const restoring = {
  summary: 'Restores a backup into an empty data directory, or one project of it into an installation.',
  usage:
    'DIR [ID] [--project SLUG] [--as ORGANIZATION/SLUG] [--data-dir DIR] [--key-file FILE] [--passphrase-file FILE] [--without-key]',
  withoutKey: 'restore without the key: sealed secrets and queued events are lost',
  project: 'restore this project only, with its organisation; ORGANISATION/SLUG if several have the slug',
  otherName: 'with --project, into an installation that has data: the slug there (default: as in the backup)',
  asNeedsProject: '--as needs --project, and a data directory with an installation',
  steps: {
    queued: 'Processing what was queued.',
    rows: 'Copying events.',
    state: 'Copying issues and settings.',
  },
  added: (organization: string, slug: string, dataDir: string, seconds: number) =>
    `Restored the project ${organization}/${slug} into ${dataDir} (${withUnit(seconds, 's')}).`,
  addedCounts: (errors: number, spans: number, logs: number, issues: number) =>
    `${plural(errors, 'error')}, ${plural(spans, 'span')}, ${plural(logs, 'log entry', 'log entries')}, ${plural(issues, 'issue')}.`,
  keysTaken: (count: number) =>
    `${plural(count, 'key')} of it ${pluralForm(count, 'belongs', 'belong')} to another project here and ${pluralForm(count, 'was', 'were')} not restored.`,
  otherId: (former: number, id: number) => `Its ID is ${id} here. DSNs with ${former} keep working.`,
  left: 'Channels and mirrors were not restored: their secrets belong to the other installation.',
  lost: (count: number) => `${plural(count, 'queued request')} could not be opened without the key.`,
  onlyProject: (name: string) =>
    `Only the project ${name} and its organisation were kept. The counts are those of the backup.`,
  dirNeeded: 'The directory with the backups is required: culprit restore DIR',
  done: (id: string, dataDir: string, seconds: number) =>
    `Restored backup ${id} into ${dataDir} (${withUnit(seconds, 's')}).`,
  as: (at: number) => `It is the state of ${utcMinute(at)}, with all events that were acknowledged before.`,
  counts: (errors: number, spans: number, logs: number, issues: number, projects: number) =>
    `${plural(errors, 'error')}, ${plural(spans, 'span')}, ${plural(logs, 'log entry', 'log entries')}, ${plural(issues, 'issue')}, ${plural(projects, 'project')}.`,
  queued: (records: number) =>
    `${plural(records, 'request')} ${pluralForm(records, 'was', 'were')} queued; the next start processes them.`,
  address: (url: string) =>
    `The backup is of ${url}. Under another address set CULPRIT_URL: DSNs, links and mail follow. Passkeys stay with the old host name, and redirect addresses at sign-in providers need a change.`,
  deleted: (projects: number, issues: number, people: number) =>
    `Deleted again, as after the backup: ${plural(projects, 'project')}, ${plural(issues, 'issue')}, ${plural(people, 'erased person', 'erased people')}.`,
  deletionsUntil: (at: number) => `The list of deletions reaches to ${utcMinute(at)}. Later ones are not applied.`,
  noDeletions: 'The backup has no list of deletions: what was deleted later is back.',
  next: 'Start it with "culprit serve".',
  withoutKeyDone: 'Restored without the key: enter channel secrets again, and people have to sign in again.',
} as const;
