/** What `culprit upgrade` and `culprit downgrade` say, and "culprit doctor" of restore points. */
import { byteSize, number, plural, utcMinute } from './intl.ts';

const named = (version: string): string => version || 'an earlier version';

export const downgrade = {
  summary: 'Takes the data directory back to the restore point of an upgrade, with the events received since.',
  to: 'version to go back to (default: that of the newest restore point)',
  yes: 'do not ask',
  point: 'restore point',
  none: (dataDir: string) =>
    `${dataDir} has none. An upgrade creates one, and CULPRIT_RESTORE_POINT_DAYS says how long it stays. A backup can be restored instead.`,
  noneOf: (version: string, versions: readonly string[]) =>
    `There is none of version ${version}. There are restore points of ${versions.map(named).join(', ')}.`,
  running: 'Stop the server first, then run "culprit downgrade" again.',
  title: (version: string, at: number) => `Back to ${named(version)}, as of ${utcMinute(at)}.`,
  comesBack: (requests: number) =>
    `  ${plural(requests, 'request')} received since come back. The earlier version processes them again.`,
  gone: (until: number, requests: number) =>
    `  Events received until ${utcMinute(until)} come back. Up to ${plural(requests, 'later request')} are lost: the log had no room to keep them.`,
  lost: 'Not kept:',
  changes: {
    issues: (count: number) => `  ${plural(count, 'change')} to issues, comments included`,
    settings: (count: number) => `  ${plural(count, 'change')} of settings, members, keys and rules`,
    uploads: (count: number) => `  ${plural(count, 'upload')} of builds (source maps, debug files)`,
  },
  deletions: (count: number) =>
    `  ${plural(count, 'deletion')} of issues or projects since then ${count === 1 ? 'is' : 'are'} undone. Delete them again.`,
  alerts: '  Alerts that the events caused since then may be sent a second time.',
  ask: 'Go back?',
  refused: 'Nothing was changed. Add --yes to go back without a question.',
  progress: (records: number) => `  ${plural(records, 'request')} copied`,
  noRoom: (free: number, needed: number) =>
    `The disk has ${byteSize(free)} left, and the downgrade needs ${byteSize(needed)}. Free some disk first.`,
  unreadable: (count: number) => `${plural(count, 'request')} cannot be opened with this key and were left out.`,
  done: (version: string) =>
    `The data directory is that of ${named(version)} again. Install that version and start it.`,
  continued: 'An interrupted downgrade was completed.',
} as const;

export const upgrade = {
  summary: 'Shows what an upgrade of the data directory will do, how long it takes and how much disk it needs.',
  check: 'check the data directory; changes nothing, and the old server may run',
  newDir: (dataDir: string) => `${dataDir} is empty. There is nothing to upgrade.`,
  current: (version: string) => `The data directory has version ${version} already. There is nothing to upgrade.`,
  from: (before: string, version: string) =>
    before === version ? `From ${version} to a later build of it` : `From ${named(before)} to ${version}`,
  running: (pid: number) => `  The old server runs (process ${pid}). Stop it before you start the new version.`,
  state: (names: readonly string[], size: number) =>
    names.length
      ? `State store (${byteSize(size)}): ${plural(names.length, 'migration')}: ${names.join(', ')}`
      : `State store (${byteSize(size)}): up to date`,
  events: (names: readonly string[], size: number) =>
    names.length
      ? `Events store (${byteSize(size)}): ${plural(names.length, 'migration')}: ${names.join(', ')}`
      : `Events store (${byteSize(size)}): up to date`,
  eventsUnknown: (size: number) =>
    `Events store (${byteSize(size)}): pending migrations are known only while the old server runs`,
  takes: (seconds: number) => `  About ${duration(seconds)}. Events that arrive meanwhile wait in the log.`,
  background: 'In the background, after the start:',
  carry: (size: number, seconds: number) =>
    `  ${byteSize(size)} of events move into segments, in about ${duration(seconds)}`,
  index: (size: number, seconds: number) => `  ${byteSize(size)} of events are indexed, in about ${duration(seconds)}`,
  point: (files: number, linked: number, copied: number) =>
    `Restore point: ${plural(files, 'file')} (${byteSize(linked)}) are linked and ${byteSize(copied)} copied.`,
  pointDays: (days: number, max: number) =>
    `  Kept for ${plural(days, 'day')}, or until it alone takes ${byteSize(max)}. "culprit downgrade" returns to it.`,
  pointOff: 'Restore point: none. CULPRIT_RESTORE_POINT_DAYS is 0.',
  pointRemote: 'Restore point: none. Back up PostgreSQL and ClickHouse with their own tools first.',
  pointNoRoom: (needed: number) =>
    `Restore point: none. It needs ${byteSize(needed)} of free disk. Free some, or create a backup first.`,
  disk: (free: number, needed: number) => `Disk: ${byteSize(free)} free, ${byteSize(needed)} needed at most`,
  tooSmall: '  That is not enough. Free some disk first.',
  notes: (version: string) => `Upgrade notes of ${version}:`,
  noNotes: 'Upgrade notes: none',
  newer: (before: string, version: string) =>
    `The data directory has version ${named(before)}. ${version} is older and refuses to start on it.`,
  interrupted: 'A downgrade was interrupted. Run "culprit downgrade" to complete it.',
  kept: 'Restore points',
  keptPoint: (version: string, at: number, until: number, bytes: number) =>
    `  ${named(version)}, ${utcMinute(at)}: takes ${byteSize(bytes)}, deleted after ${utcMinute(until)}`,
  steps: {
    title: 'To upgrade:',
    npm: [
      'npx culprit@latest upgrade --check    shows what it will do',
      'stop the server',
      'npm install culprit@latest            in the folder of the installation; -g if it is global',
      'start the server',
      'culprit downgrade                     goes back, if something is wrong',
    ],
    checkout: [
      'git pull && npm ci                    gets the new version',
      'npx culprit upgrade --check           shows what it will do',
      'stop the server, then npm start',
      'npx culprit downgrade                 goes back, if something is wrong',
    ],
  },
} as const;

export const restorePoints = {
  check: 'restore points',
  none: 'none. The next upgrade creates one',
  point: (version: string, at: number, until: number, bytes: number) =>
    `${named(version)} of ${utcMinute(at)}, takes ${byteSize(bytes)}, until ${utcMinute(until)}`,
  stopped: (until: number) =>
    `A downgrade brings back events received until ${utcMinute(until)}: the log has no room to keep later ones`,
} as const;

/** `12 s`, `4 min`, `3 h`. */
function duration(seconds: number): string {
  if (seconds < 60) return `${number(Math.max(1, Math.ceil(seconds)))}\u00a0s`;
  if (seconds < 5400) return `${number(Math.ceil(seconds / 60))}\u00a0min`;
  return `${number(Math.ceil(seconds / 3600))}\u00a0h`;
}
