/** What the command line says: help, results and errors. */
import { plural, pluralForm, withUnit } from './intl.ts';

/** Of all commands. */
export const general = {
  noKey:
    'The key of the server is not available here, so nothing can be sealed. Set CULPRIT_SECRET or CULPRIT_KEY_FILE.',
  title: (version: string) => `culprit ${version}: self-hosted error and performance monitoring`,
  usage: 'Usage: culprit COMMAND [options]',
  hint: '"culprit COMMAND --help" shows options and examples. Exit codes: 0 success, 1 failure, 2 wrong usage.',
  unknownCommand: (name: string) => `culprit: unknown command "${name}".`,
  wrongUsage: (problem: string, command: string, usage: string) =>
    `${problem}\nUsage: culprit ${command} ${usage}\n"culprit ${command} --help" shows options and examples.`,
  options: 'Options',
  settings: 'Settings (also environment variables; "culprit config --help" lists them)',
  examples: 'Examples',
  json: 'print JSON',
  showHelp: 'show this help',
  surplus: (word: string) => `Unexpected argument "${word}".`,
  missing: (option: string) => `--${option} is required.`,
  organization: 'organisation (default: the only one)',
  organizationNeeded: (slugs: readonly string[]) => `--org is required. The organisations are ${slugs.join(', ')}.`,
  noOrganization: 'Run "culprit init" first.',
  noInstallation: 'Name its directory with --data-dir or CULPRIT_DATA_DIR, or run "culprit init" first.',
  actions: (names: readonly string[]) => `Expected ${names.map((name) => `"${name}"`).join(' or ')}.`,
  passwordPrompt: 'Password, then Enter and Ctrl-D: ',
  passwordStdin: 'read the password from standard input',
  passwordStdinNeeded: '--password-stdin is required. Process lists cannot show a password from standard input.',
  platform: 'platform, e.g. javascript-nextjs, python-django, java-spring-boot or go-gin',
  expires: '90d, a last day such as 2027-01-01, or never (default: a year)',
  expiresInvalid: (text: string) => `"${text}" is not a future date. Use days (90d), a day (2027-01-01) or never.`,
} as const;

export const audit = {
  summary: 'Verifies the audit log: that no entry was changed, removed or reordered.',
  organization: 'organisation (default: all)',
  noted: 'an entry that you noted earlier; it and all entries before it must be the same',
  notedInvalid: '--noted needs a number and a hash, as "culprit audit verify" prints them.',
  file: 'verify an exported or streamed file (JSON Lines) instead',
  either: '--file and --noted cannot be combined.',
  noKey:
    'The key of the server is not available here, so the seal could not be checked. Set CULPRIT_SECRET or CULPRIT_KEY_FILE.',
  empty: (name: string) => `${name}: no entries`,
  whole: (name: string, entries: number, first: number, last: number) =>
    `${name}: ${plural(entries, 'entry', 'entries')} verified (${first}–${last})`,
  note: (seq: number, hash: string) => `  To verify against this state later, keep: --noted ${seq}:${hash}`,
  broken: (name: string, entries: number, first: number, last: number) =>
    `${name}: BROKEN, ${plural(entries, 'entry', 'entries')} read (${first}–${last})`,
  breaks: {
    changed: (at: string) => `Entry ${at} was changed, or the entry before it was replaced.`,
    missing: (at: string) => `Entry ${at} is missing.`,
    surplus: (at: string) => `Entry ${at} does not belong to the chain.`,
    moved: (at: string) => `Entry ${at} was moved here from another place.`,
    cut: (at: string) => `The end is missing: entry ${at}.`,
    head: (at: string) => `The head of the chain does not match entry ${at}.`,
    seal: (at: string, reason: string) => `The seal of the head does not hold at entry ${at}: ${sealReason(reason)}.`,
    resealed: (at: string, reason: string) =>
      `Entry ${at} reports that the seal before it did not hold: ${sealReason(reason)}.`,
    noted: (at: string) => `Entry ${at} is not the one that was noted.`,
  },
} as const;

/** By what the audit log stores. */
const sealReasons: Readonly<Record<string, string>> = {
  'other key': 'sealed with another key',
  unsealed: 'no seal',
  broken: 'wrong seal',
};

const sealReason = (stored: string): string => sealReasons[stored] ?? stored;

export const config = {
  summary: 'Prints the current settings and their names.',
  unset: '(unset)',
} as const;

export const digest = {
  summary: 'Finds the line that threw, from the digest or the text of an error page.',
  usage: 'DIGEST [--stack] [--org SLUG] [--json]   (or the text of the page; "-" reads it from stdin)',
  organization: 'organisation (default: all)',
  stack: 'print the whole stack trace, as its language prints it',
  missing: 'A digest is required: culprit digest 1930860604',
  noServer: (dataDir: string) => `running server for ${dataDir}`,
  more: (count: number) => `and ${plural(count, 'more issue')}`,
  trace: (spans: number) => `A trace of ${plural(spans, 'span')} without reported errors.`,
  browserOnly: 'Only browsers reported this error. The server did not.',
  browserEvents: (count: number, newest: string) => `${plural(count, 'browser event')}, newest ${newest}`,
  search: (url: string) => `This is not a digest, event or issue. Search: ${url}`,
  page: 'This is not a digest. Errors on that page in the last day:',
  none: '  none',
  unknownId: 'No stored event has this ID.',
  noEvent: (value: string) => `No event has the digest ${value} yet.`,
  noDigests: 'No event of the last 30 days has a digest. See the guide "From digest to cause".',
  dropped: (quantity: string, outcome: string, reason: string) =>
    `Not stored in the last hour: ${quantity} (${outcome}, ${reason})`,
  empty: 'Enter a digest, an ID or a text.',
  lastServerEvent: (when: string, title: string) => `Last server event ${when}: ${title}`,
  noServerEvent: 'No server event is stored.',
  seen: (visits: string, since: string, sinceAgo: string, newest: string) =>
    `${visits} since ${since} (${sinceAgo}), newest ${newest}`,
  noBrowserEvent: 'No browser event with this digest is stored.',
  shown: (count: number, trace: string | undefined) =>
    `${plural(count, 'browser event')} showed the screen${trace === undefined ? '' : `, in the trace ${trace}`}.`,
  ago: (count: number, unit: string) => `${withUnit(count, unit)} ago`,
  now: 'just now',
} as const;

/** Commands that ask a server by its API. */
export const remote = {
  tokenNeeded: (variable: string) => `Set ${variable} to an API token. "culprit token create" makes one.`,
  noServer: (server: string) => `${server} (--url names another one)`,
  answered: (status: number) => `it answered ${status}`,
  noAnswer: 'it did not answer',
} as const;

export const brief = {
  summary: 'Prints an issue as one document: failing line, stack trace, commits, reproduction.',
  usage: 'ISSUE [--event ID] [--org SLUG] [--json]   (with CULPRIT_TOKEN)',
  organization: 'organisation (default: that of the token)',
  event: 'latest, oldest, recommended or the ID of an event (default: recommended)',
  missing: 'An issue is required: culprit brief WEB-1',
} as const;

export const mcp = {
  summary: 'Speaks MCP on its pipes, for agents that start it: the tools of a server at /mcp.',
  usage: '   (with CULPRIT_TOKEN)',
} as const;

export const init = {
  summary: 'Sets up an installation without a browser: owner, organisation, project and API token.',
  email: 'email address of the owner',
  name: 'name of the owner (default: the part before the @)',
  organization: 'name of the organisation',
  project: 'name of the first project',
  expires: 'expiry of the API token: ',
  done: (email: string) => `Culprit is set up for ${email}.`,
  labels: { url: 'Address', dsn: 'DSN', token: 'API token', organization: 'Organisation', project: 'Project' },
  shownOnce: (expiry: string) => `(shown once; ${expiry})`,
  tokenName: 'culprit init',
  next: 'Start it with "culprit serve".',
} as const;

export const key = {
  summary: 'Shows the key that seals secrets, or adopts the current one.',
  noKey: '"culprit serve" creates it.',
  current: 'Current key',
  sealedWith: 'Secrets sealed with',
  none: '(none yet)',
  adopted: 'The server now starts with this key. Enter secrets again that were sealed with another key.',
} as const;

export const migrate = {
  summary: 'Migrates the stores. "culprit serve" does this automatically.',
  compact: 'also return free space of the SQLite file to the disk, which takes minutes for a large one',
  freed: (bytes: number) => `${withUnit(Math.round(bytes / 2 ** 20), 'MiB')} were returned to the disk.`,
  state: 'State store',
  events: 'Events store',
  applied: (names: readonly string[]) => `applied ${names.join(', ')}`,
  current: 'up to date',
} as const;

export const project = {
  summary: 'Lists projects with their DSNs, creates a project, or gives it the ID that it had in another tracker.',
  nameNeeded: 'A name is required: culprit project create NAME',
  projectNeeded: 'A project is required: culprit project alias PROJECT [ID]',
  idNeeded: 'An ID is required: culprit project alias PROJECT ID --remove',
  removeAlias: 'remove the other ID instead of adding it',
  noAlias: 'The project has no other IDs.',
  created: (slug: string) => `Created the project ${slug}.`,
  noKey: '(no enabled key)',
  internal: '  (failures of Culprit itself)',
} as const;

export const serve = {
  summary: 'Starts Culprit: migrates the stores and serves everything on one port.',
  ready: (url: string) => `Culprit is ready: ${url}`,
  setUp: (link: string) => `Culprit is ready. Open this link to set it up: ${link}`,
} as const;

export const token = {
  summary: 'Creates, lists or deletes API tokens of a user, or of the organisation for its builds.',
  user: 'user of the token',
  name: 'name of the token',
  scopes: 'scopes (default: all scopes of the user)',
  ofOrganization: 'create a token for builds, with the scope org:ci only',
  idNeeded: 'The ID of the token is required. "culprit token list" shows it.',
  scopeFixed: 'An organisation token always has the scope org:ci.',
  unknownScope: (name: string, known: readonly string[]) =>
    `Unknown scope "${name}". The scopes are ${known.join(', ')}.`,
  shownOnce: (expiry: string) => `Store this token now: it is shown once. (${expiry})`,
  deleted: (id: string | number) => `Deleted the token ${id}.`,
  defaultName: 'command line',
} as const;

export const organization = {
  summary: 'Lists organisations, creates one, or shows and clears its allowed addresses.',
  owner: 'email address of its first owner, who has an account',
  nameNeeded: 'A name is required: culprit organization create NAME --owner EMAIL',
  clear: 'allow all addresses again',
  anyAddress: (slug: string) => `${slug} can be used from all addresses.`,
  created: (slug: string, owner: string) => `Created the organisation ${slug}. Its owner is ${owner}.`,
} as const;

export const user = {
  summary: 'Lists users, creates a user, sets a password, or creates a recovery link for a user who cannot sign in.',
  email: 'email address of the user',
  name: 'name of the user (default: the part before the @)',
  revokeTokens: "with a new password: also revoke the user's API tokens",
  keepTokens: 'with a new password: keep the API tokens without asking',
  removeFactors: 'with recovery: also remove the authenticator app and all passkeys',
  either: 'Use --revoke-tokens or --keep-tokens, not both.',
  created: (email: string, organization: string) => `Created the user ${email} in ${organization}.`,
  askRevoke: (email: string, tokens: number) => `${email} has ${plural(tokens, 'API token')}. Revoke?`,
  passwordSet: (email: string) => `Set the password of ${email} and ended all sessions of this user.`,
  recovery: (email: string, minutes: number) =>
    `Recovery link for ${email}. It works once, for ${minutes} minutes, and a newer link replaces it:`,
  recoveryWhat:
    'It asks for a new password and signs in without a second factor or provider, even where one is required.',
  recoveryAddress: (url: string) => `If the server has another address than ${url}, replace that part of the link.`,
  factorsRemoved: 'Removed the authenticator app and all passkeys of this user.',
  factorsStay: 'The authenticator app and passkeys of this user stay. Remove them with --remove-factors.',
  noTokens: 'This user has no API tokens.',
  revoked: (tokens: number) => `Revoked ${plural(tokens, 'API token')}.`,
  stillValid: (tokens: number) =>
    `${plural(tokens, 'API token')} of this user ${pluralForm(tokens, 'is', 'are')} still valid. Revoke with --revoke-tokens.`,
  buildTokens: (tokens: number, email: string) =>
    `${plural(tokens, 'build token')} of the organisation ${pluralForm(tokens, 'is', 'are')} unchanged. See "culprit token list --user ${email}".`,
} as const;

export const doctor = {
  summary: 'Checks the installation: settings, disk, memory, clock, ports, proxy, mail, stores and backlog.',
  marks: { ok: 'ok', warning: 'warning', failed: 'FAILED' },
  checks: {
    program: 'program',
    dataDir: 'data directory',
    key: 'key',
    state: 'state store',
    selfReport: 'self-report',
    mail: 'mail',
    jobs: 'background jobs',
    memory: 'memory',
    server: 'server',
    port: 'port',
    address: 'public address',
    clock: 'clock',
    events: 'events store',
    log: 'log',
    nats: 'NATS',
    blobs: 'blobs',
    backups: 'backups',
    unprocessed: 'unprocessed items',
  },
  program: (version: string, node: string) => `culprit ${version} on Node ${node}`,
  noDataDir: (dir: string) => `${dir} does not exist. "culprit serve" or "culprit init" creates it`,
  free: (dir: string, gibibytes: string) => `${dir}: ${withUnit(gibibytes, 'GiB')} free`,
  lowDisk: (dir: string, gibibytes: string) =>
    `${dir}: only ${withUnit(gibibytes, 'GiB')} free. Free some disk, or lower CULPRIT_RETENTION_DAYS`,
  noKey: 'none yet. The first start creates it',
  keyGone: (fingerprint: string, file: string) =>
    `The key that sealed the secrets (${fingerprint}) is missing. Restore ${file}, or set CULPRIT_SECRET to it`,
  keyOther: (source: string, fingerprint: string, sealedWith: string) =>
    `${source} (${fingerprint}) did not seal the secrets: ${sealedWith} did. Restore that key, or run "culprit key adopt" if it is lost`,
  keyReadable: (source: string) => `Other users can read ${source}. Run chmod 600 ${source}`,
  keyOk: (source: string, fingerprint: string) =>
    `${source} (${fingerprint}). Keep a copy apart from backups of the data`,
  noUser: 'no user yet. Open the link that "culprit serve" prints, or run "culprit init"',
  setUp: (link: string) => `no user yet. Open ${link}, or run "culprit init"`,
  state: (database: string, projects: number, users: number) =>
    `${database}, ${plural(projects, 'project')}, ${plural(users, 'user')}`,
  s3: (place: string) => `${place} takes, returns and deletes objects`,
  s3Clock: (place: string, seconds: number) =>
    `${place} works, but its clock is ${plural(Math.abs(seconds), 'second')} ${seconds > 0 ? 'ahead' : 'behind'}. S3 refuses requests at 15 minutes. Turn on NTP (timedatectl set-ntp true)`,
  selfReportOff: 'off (CULPRIT_SELF_REPORT). Failures of Culprit are only in its log',
  selfReportLater: 'on. The first start after setup creates its project',
  selfReportOn: (slug: string) => `on. Failures of Culprit go to its own project "${slug}" only`,
  selfReportNoKey: (slug: string) => `on, but the project "${slug}" has no enabled key. Nothing is reported`,
  mailOff: 'off. Set CULPRIT_SMTP_URL and CULPRIT_MAIL_FROM to send mail',
  mailOn: (host: string, port: number, from: string) => `${host}:${port} accepts mail from ${from}`,
  noJobs: 'none yet. The first start lists them',
  jobsFailing: (names: readonly string[]) => `failing, will retry: ${names.join(', ')}`,
  jobs: (count: number, waiting: number) => `${plural(count, 'job')}, none failing, ${waiting} to do`,
  jobColumns: ['job', 'last run', 'to do', 'failed', ''],
  notRunning:
    'not running on this data directory. Start it with "culprit serve". Backlog and unprocessed items were not checked',
  portAny: 'any free one',
  portFree: (host: string, port: number) => `${host}:${port} is free`,
  portTaken: (host: string, port: number) =>
    `${host}:${port} is in use by another program, so Culprit cannot start. Find it with "ss -ltnp 'sport = :${port}'" and stop it, or set CULPRIT_PORT`,
  portForbidden: (port: number) =>
    `Only root may listen on port ${port}. Set CULPRIT_PORT to 1024 or more, and put a proxy in front`,
  portFailed: (host: string, port: number, code: string) =>
    `Cannot listen on ${host}:${port} (${code}). Set CULPRIT_HOST to an address of this machine`,
  memory: (available: string, total: string) => `${withUnit(available, 'GiB')} of ${withUnit(total, 'GiB')} available`,
  memorySmall: (total: string) =>
    `only ${withUnit(total, 'GiB')}. Searches over long ranges may fail. Give Culprit 1 GiB or more`,
  memoryLow: (available: string, total: string) =>
    `only ${withUnit(available, 'GiB')} of ${withUnit(total, 'GiB')} available. The system may end Culprit. Stop other programs, or add memory`,
  otherOwner: (dir: string, uid: number, own: number) =>
    `${dir} belongs to user ${uid}, and this is user ${own}. Run Culprit and its commands as one user: sudo -u '#${uid}' culprit doctor`,
  readable: (dir: string) => `Other users can read ${dir}. Run chmod 700 ${dir}`,
  clock: (now: string, others: readonly string[]) =>
    others.length ? `${now}Z, like ${others.join(' and ')}` : `${now}Z, after everything stored`,
  clockBack: (seconds: number) =>
    `${plural(seconds, 'second')} behind files in the data directory: it was set back. New events would appear before old ones. Turn on NTP (timedatectl set-ntp true)`,
  clockDrift: (other: string, seconds: number) =>
    `${plural(Math.abs(seconds), 'second')} ${seconds > 0 ? 'behind' : 'ahead of'} ${other}. Times of events and alerts are wrong. Turn on NTP on both (timedatectl set-ntp true)`,
  addressUnset: 'not set. Links and DSNs use localhost. Set CULPRIT_URL before you send from other machines',
  address: (url: string, isDirect: boolean) =>
    `${url} leads here${isDirect ? '' : '. The proxy passes on host, scheme, client address, large bodies and live updates'}`,
  addressUnreachable: (url: string, reason: string) =>
    `${url} does not respond from this machine (${reason}). Check DNS, the firewall and the proxy, or correct CULPRIT_URL`,
  addressStranger: (url: string, status: number) =>
    `${url} is answered by something else (status ${status}). Point the proxy at this server, or correct CULPRIT_URL`,
  originLost: (seen: string, url: string) =>
    `A request to ${url} arrives as one to ${seen}. Sign-in and uploads can fail. Let the proxy send Host and X-Forwarded-Proto`,
  clientLost:
    'The proxy does not send X-Forwarded-For, so all clients have its address. Rate limits and the audit log are wrong. Let it send X-Forwarded-For',
  clientUntrusted:
    'X-Forwarded-For comes from a proxy that is not trusted, so all clients have its address. Add the proxy to CULPRIT_TRUSTED_PROXIES',
  buffered:
    'The proxy holds answers back, so live updates come late. Turn off its response buffering (nginx: proxy_buffering off)',
  bodyRefused: (status: number, bytes: number) =>
    `The proxy refuses large requests (status ${status}), so events with replays and attachments are lost. Allow bodies of ${bytes} bytes (nginx: client_max_body_size 0)`,
  eventsOk: 'responds',
  eventsDown: "does not respond. Incoming events wait in the log. See the server's log for the reason",
  logFull: 'full. Ingestion responds 503. Raise CULPRIT_LOG_MAX_BYTES, or find the cause of the backlog',
  logAway: (since: string) =>
    `NATS has not responded since ${since}. Ingestion responds 503 until it is back. See the server's log for the reason`,
  natsOk: (version: string, servers: string, replicas: number, payload: string) =>
    `version ${version} at ${servers}, ${plural(replicas, 'replica')}, messages up to ${payload}`,
  natsOnDisk: (found: string) =>
    `${found}. With one replica, a power failure loses what NATS has not synced. Set sync_interval: always (from 2.10), or use replicas=3 with a cluster`,
  natsReplicas: (found: string, streams: readonly string[]) =>
    `${found}. These streams have fewer replicas: ${streams.join(', ')}. The next start of a server changes that`,
  natsStorage: (found: string, limit: string, free: string) =>
    `${found}. JetStream has ${free} left, which is less than CULPRIT_LOG_MAX_BYTES (${limit}). Raise max_file, or lower the setting`,
  natsPayload: (found: string) =>
    `${found}. Messages that small are slow: set max_payload to 1MB, which is its default, or more`,
  logUnreadable: (records: number, unreadable: number) =>
    `${plural(records, 'request')} waiting. ${unreadable} cannot be opened with this key and are stored for 30 days. Start with their key to process them`,
  log: (records: number) => `${plural(records, 'request')} waiting`,
  server: (pid: number, url: string) => `process ${pid}, ${url}`,
  noUnprocessed: 'none. All items were processed',
  unprocessed: (count: number, type: string, reason: string, newest: string) =>
    `${withUnit(count, '×')} ${type}: ${reason} (newest ${newest})`,
  unprocessedAll: (list: readonly string[]) => `${list.join('; ')}. Health shows them`,
} as const;
