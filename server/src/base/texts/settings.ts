/** What the settings of the server are for, and what is wrong with one: help, "culprit config", docs and errors. */
import { listed } from './intl.ts';

export const help = {
  roles: 'comma-separated roles of this node: intake, process, api, jobs. Fewer than all need stores that nodes share',
  host: 'address to listen on; 0.0.0.0 for all',
  port: 'port to listen on; 0 for any free port',
  otlpGrpcPort: 'port for OpenTelemetry over gRPC, usually 4317; off unless set',
  dataDir: 'directory of the embedded stores',
  keyFile:
    'file with the key that seals secrets and queued requests; created if missing (default: secret.key in the data directory)',
  secret: 'the key as text, at least 32 characters, instead of the file; the same on every node',
  url: 'public address for DSNs and links (default: http://localhost:<port>)',
  allowedHosts:
    'comma-separated host names for sign-in in addition to CULPRIT_URL; *.example.com allows a whole domain',
  securityContacts:
    'comma-separated contacts for reports of vulnerabilities, shown in /.well-known/security.txt; mailto:, https: or tel:',
  logUrl: 'queue of received envelopes: nats://… for NATS JetStream; unset: embedded',
  eventsUrl: 'ClickHouse, http(s)://user:password@host:8123/database; unset: embedded',
  stateUrl: 'PostgreSQL, postgres://user:password@host/database; unset: embedded',
  blobsUrl: 'S3, s3://key:secret@host/bucket/prefix?region=…, s3:///bucket for AWS; unset: embedded',
  retentionDays: 'days to keep events',
  resymbolicateDays: 'days back to symbolicate events again when source maps arrive late',
  performanceWaitSeconds: 'seconds to wait for late spans before checking a segment for performance problems',
  logMaxBytes: 'maximum bytes in the log; ingestion then responds 503',
  mirrorMaxBytes: 'maximum bytes that wait for the mirror of a project; more is not forwarded',
  restorePointDays: 'days to keep the restore point of an upgrade; 0: create none',
  restorePointMaxBytes: 'maximum bytes that restore points alone take on disk',
  maxBodyBytes: 'largest request body as sent',
  maxEnvelopeBytes: 'largest envelope after decompression',
  maxUnassembledBytes: 'maximum bytes of unfinished build uploads per organisation',
  bodyTimeoutSeconds: 'seconds for a body to arrive',
  drainSeconds: 'seconds between a stop signal and the end of accepting requests; /readyz responds 503 meanwhile',
  workers: 'processing threads; 0: one fewer than the number of cores',
  trustedProxies: 'comma-separated addresses or networks with a trusted X-Forwarded-For; none: trust none',
  smtpUrl: 'mail server, smtp://user:password@host:587 or smtps://…; unset: mail is off',
  mailFrom: 'sender of mail, as address or "Name <address>" (default: the user of the mail server, or culprit@<host>)',
  outboundAllow:
    'comma-separated private addresses, networks or hosts that channels may call, with or without a port; none switches all calls off',
  auditFile: 'file to append entries of the audit log to, as JSON Lines; unset: none',
  backupDir: 'directory of scheduled backups, or s3://…; unset: there are none',
  backupSchedule: 'time of scheduled backups, as a cron expression in UTC',
  backupKeep: 'scheduled backups to keep: the newest of each of the last days, weeks and months',
  backupRate: 'most bytes a second that a backup reads; unset: no limit',
  backupPassphrase: 'passphrase that encrypts backups; unset: they are not encrypted, unless there is a key file',
  backupPassphraseFile: 'file with that passphrase',
  backupKeyFile: 'file with a key of at least 32 characters that encrypts backups, instead of a passphrase',
  metrics: 'access to /metrics; unset: this machine, and tokens with org:read; public: everyone',
  stormGuard: 'sample repeated errors while a project sends far more than usual: on or off',
  selfReport: 'report failures of Culprit to its own project "culprit" only: on or off',
  consoleDir: 'directory of the built console; unset: the bundled one',
  logLevel: 'fatal, error, warn, info, debug, trace or silent',
} as const;

/** After "expected". */
export const expects = {
  whole: (least: number, most: number) => `a whole number from ${least} to ${most}`,
  size: 'a size such as 20m or 10g',
  switch: 'on or off',
  url: 'an address such as https://culprit.example.com',
  host: 'an address such as 127.0.0.1',
  hosts: 'names such as culprit.example.com, *.example.com or 10.0.0.5:7420',
  contacts: 'contacts such as security@example.com or https://example.com/security',
  proxies: 'addresses or networks such as 10.0.0.0/8, loopback, or none',
  outbound: 'addresses, networks or hosts',
  directory: 'a directory',
  mailServer: 'a mail server',
  smtp: 'an address such as smtp://user:password@mail.example.com:587 or smtps://…',
  schedule: 'a cron expression such as 30 3 * * *',
  keep: 'counts such as daily=7,weekly=4,monthly=6',
  metrics: 'public, or nothing for this machine and tokens only',
  store: (schemes: readonly string[]) =>
    `${listed(
      schemes.map((scheme) => `${scheme}://…`),
      'or',
    )}, or nothing for the embedded store`,
  s3: 'an address such as s3://key:secret@host:9000/bucket/prefix?region=us-east-1, or s3:///bucket for AWS',
  embedded: 'nothing: only the embedded store is supported',
  roles: (names: readonly string[]) => `some of ${names.join(', ')}, separated by commas`,
  oneOf: (values: readonly string[]) => `one of ${values.join(', ')}`,
} as const;

export const problems = {
  value: (place: string, value: string, expected: string) => `${place} is "${value}"; expected ${expected}`,
  because: (expected: string, reason: string) => `${expected}: ${reason}`,
  notShared: (roles: readonly string[], missing: readonly string[]) =>
    `The ${roles.length === 1 ? 'role' : 'roles'} ${listed(roles, 'and')} ${roles.length === 1 ? 'needs' : 'need'} stores and a key that all nodes share. Set ${listed(missing, 'and')}, the same on every node`,
  tooShort: (place: string, length: number, least: number) =>
    `${place} has ${length} characters; expected at least ${least}. Generate one with "openssl rand -base64 32"`,
} as const;
