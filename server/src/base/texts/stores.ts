import { byteSize } from './intl.ts';

/** What keeps the server from starting, or a store from working. */
export const dataDirectory = {
  unknownOwner: 'unknown',
  tightened: (path: string, mode: string) =>
    `${path} was accessible to other users (mode ${mode}); only its owner can access it now`,
  open: (path: string, mode: string, reason: string) =>
    `${path} is accessible to other users (mode ${mode}), and its mode could not be changed: ${reason}`,
} as const;

/** Of what was there before an upgrade. */
export const restorePoints = {
  blocker: 'Culprit is going back to an earlier version. Run "culprit downgrade" again to complete it.',
  noRoom: (free: number, needed: number) =>
    `the disk has ${byteSize(free)} left, and a restore point needs ${byteSize(needed)}`,
} as const;

export const listening = {
  EADDRINUSE: 'another program uses it. Stop that program, or choose another port with --port',
  EADDRNOTAVAIL: 'this machine does not have that address. Choose another with --host',
  ENOTFOUND: 'the host does not exist. Choose another with --host',
  EACCES: 'the user lacks permission. Choose a port above 1023 with --port',
} as const;

export const secrets = {
  keyTooShort: (length: number, least: number) => `it has ${length} characters; a key needs at least ${least}`,
} as const;

export const addresses = {
  notUrl: (setting: string) => `${setting} is not a URL`,
  database: (setting: string) =>
    `${setting} has a database or cluster name with characters other than letters, digits and _`,
  blobs: (url: string) => `CULPRIT_BLOBS_URL is "${url}"; only embedded storage is supported`,
  log: (url: string) => `CULPRIT_LOG_URL is "${url}"; only the embedded log is supported`,
} as const;

export const logOfRequests = {
  sealedOtherwise: (records: string) =>
    `${records} in the log cannot be opened with this key and will be stored for 30 days. Start with the previous key to process them`,
} as const;

/** Why the events engine was started again. */
export const engine = {
  stopped: (how: string) => `it stopped with ${how}`,
  exitCode: (code: number | null) => `code ${code}`,
  silent: (seconds: number) => `it did not respond for ${seconds} s`,
} as const;

/** Why an events store cannot hold a row. */
export const rows = {
  fault: (column: string, value: string, isSigned: boolean) =>
    `${column}: ${value} is not ${isSigned ? 'a whole number' : 'a whole number from 0 on'}`,
} as const;

/** Why processing waits, on Health. */
export const processing = {
  noStore: 'the events store is not ready; incoming events wait in the log',
  noThread: (reason: string) => `a processing thread could not start: ${reason}`,
} as const;
