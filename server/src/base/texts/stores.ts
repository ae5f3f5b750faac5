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
  noCluster: (name: string, known: string) =>
    `CULPRIT_EVENTS_URL names the cluster "${name}", which that ClickHouse does not have. It has: ${known}`,
  notReplicated: (name: string) =>
    `the cluster "${name}" has a shard whose replicas do not copy from each other. Set internal_replication to true in remote_servers of every ClickHouse node`,
  noMacros: (name: string) =>
    `a node of the cluster "${name}" has no macros shard and replica. Define both on every ClickHouse node`,
  notOfCluster: (database: string) =>
    `the database "${database}" holds tables of one ClickHouse node or of an earlier version. Name a database that does not exist yet in CULPRIT_EVENTS_URL`,
  log: (url: string) =>
    `CULPRIT_LOG_URL is "${url}"; leave it empty for the embedded log, or use nats:// or tls:// for NATS JetStream`,
} as const;

export const logOfRequests = {
  gone: 'another node has processed this batch',
  sealedOtherwise: (records: string) =>
    `${records} in the log cannot be opened with this key and will be stored for 30 days. Start with the previous key to process them`,
  openedAgain: (records: string) => `${records} stored for later can be opened with this key and will be processed`,
  lostByNats: (sequence: number) =>
    `NATS has lost the message ${sequence} of the log. With one replica, set sync_interval to always`,
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

/** What is wrong with an address of S3; after "expected …: ". */
export const s3Address = {
  form: 'it names no bucket, or is not an S3 address',
  host: 'its host is not valid',
  bucket: 'its bucket name is not valid',
  prefix: 'its prefix is not valid; use letters, digits, ., _, - and /',
  option: 'an option is unknown or has no valid value; there are region, tls and path-style',
  credentials: 'there is no access key; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or put both into the address',
} as const;

/** Why an object store is not available, and what to do. */
export const objects = {
  bucket: (bucket: string) => `the bucket ${bucket} does not exist. Create it, or correct the address`,
  denied: (bucket: string) =>
    `access to the bucket ${bucket} is denied. Allow the access key to list it, and to get, put and delete its objects`,
  key: 'the access key or its secret is wrong or has expired. Check both',
  noCredentials: 'there is no access key. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role',
  clock: "the clocks of this machine and of the store differ too much. Correct this machine's clock",
  region: (bucket: string, region: string) =>
    `the bucket ${bucket} is not in the region ${region}. Set its region in the address or in AWS_REGION`,
  busy: (server: string, word: string) => `${server} failed or is too busy (${word}). Culprit tries again`,
  full: (server: string) => `${server} has no room left. Give it more, or shorten the retention`,
  unknownHost: (server: string) => `the host ${server} does not exist or cannot be resolved. Check the address and DNS`,
  refused: (server: string) => `${server} refuses connections. Check that the store runs, and the port`,
  silent: (server: string) => `${server} does not respond. Check that it runs, and firewalls between`,
  broken: (server: string) => `${server} closed the connection. Check its log, and whether it expects TLS`,
  certificate: (server: string, code: string) =>
    `no trusted TLS connection to ${server} (${code}). Trust its certificate with NODE_EXTRA_CA_CERTS, or set tls=off`,
  other: (message: string) => message,
  otherContent: 'it gave back something else than was put. Check for a cache or a proxy in between',
  unconditional: 'it ignores conditions of requests (If-None-Match). Use a version of it that supports them',
  undeleted: 'an object that was deleted is still there. Check its versioning, and for a cache in between',
} as const;
