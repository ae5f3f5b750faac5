/**
 * Configuration: flags win over `CULPRIT_*` environment variables, which win over defaults. Every setting stands in
 * `settings`; flags, environment names, help and `culprit config` are made from it.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { Cron } from 'croner';
import { CodedError } from './errors.ts';
import { parseMailSettings } from './mail-settings.ts';
import { parseAllowList } from './outbound/allow-list.ts';
import { isS3, parseS3Address } from './s3/address.ts';
import { shortestSecret } from './secrets/index.ts';
import { isRole, type Role, roleNames } from './roles.ts';
import { expects, help, problems } from './texts/settings.ts';

type Kind = 'text' | 'port' | 'bytes' | 'days' | 'count' | 'url' | 'switch';

interface Setting {
  readonly env: string;
  readonly flag: string;
  readonly kind: Kind;
  readonly fallback: string;
  readonly help: string;
  /** No flag sets it, for everybody sees a process's arguments, and no command prints it. */
  readonly isSecret?: boolean;
}

const setting = (env: string, kind: Kind, fallback: string, help: string): Setting => ({
  env,
  flag: env.replace('CULPRIT_', '').toLowerCase().replaceAll('_', '-'),
  kind,
  fallback,
  help,
});

export const settings = {
  host: setting('CULPRIT_HOST', 'text', '127.0.0.1', help.host),
  port: setting('CULPRIT_PORT', 'port', '7420', help.port),
  otlpGrpcPort: setting('CULPRIT_OTLP_GRPC_PORT', 'port', '', help.otlpGrpcPort),
  dataDir: setting('CULPRIT_DATA_DIR', 'text', './culprit-data', help.dataDir),
  keyFile: setting('CULPRIT_KEY_FILE', 'text', '', help.keyFile),
  secret: {
    ...setting('CULPRIT_SECRET', 'text', '', help.secret),
    isSecret: true,
  },
  url: setting('CULPRIT_URL', 'url', '', help.url),
  allowedHosts: setting('CULPRIT_ALLOWED_HOSTS', 'text', '', help.allowedHosts),
  securityContacts: setting('CULPRIT_SECURITY_CONTACT', 'text', '', help.securityContacts),
  logUrl: setting('CULPRIT_LOG_URL', 'text', '', help.logUrl),
  eventsUrl: setting('CULPRIT_EVENTS_URL', 'text', '', help.eventsUrl),
  stateUrl: setting('CULPRIT_STATE_URL', 'text', '', help.stateUrl),
  blobsUrl: setting('CULPRIT_BLOBS_URL', 'text', '', help.blobsUrl),
  roles: setting('CULPRIT_ROLE', 'text', roleNames.join(','), help.roles),
  retentionDays: setting('CULPRIT_RETENTION_DAYS', 'days', '90', help.retentionDays),
  resymbolicateDays: setting('CULPRIT_RESYMBOLICATE_DAYS', 'days', '14', help.resymbolicateDays),
  performanceWaitSeconds: setting('CULPRIT_PERFORMANCE_WAIT_SECONDS', 'count', '10', help.performanceWaitSeconds),
  logMaxBytes: setting('CULPRIT_LOG_MAX_BYTES', 'bytes', '10g', help.logMaxBytes),
  mirrorMaxBytes: setting('CULPRIT_MIRROR_MAX_BYTES', 'bytes', '1g', help.mirrorMaxBytes),
  restorePointDays: setting('CULPRIT_RESTORE_POINT_DAYS', 'count', '7', help.restorePointDays),
  restorePointMaxBytes: setting('CULPRIT_RESTORE_POINT_MAX_BYTES', 'bytes', '20g', help.restorePointMaxBytes),
  maxBodyBytes: setting('CULPRIT_MAX_BODY_BYTES', 'bytes', '20m', help.maxBodyBytes),
  maxEnvelopeBytes: setting('CULPRIT_MAX_ENVELOPE_BYTES', 'bytes', '200m', help.maxEnvelopeBytes),
  maxUnassembledBytes: setting('CULPRIT_MAX_UNASSEMBLED_BYTES', 'bytes', '2g', help.maxUnassembledBytes),
  bodyTimeoutSeconds: setting('CULPRIT_BODY_TIMEOUT_SECONDS', 'count', '30', help.bodyTimeoutSeconds),
  drainSeconds: setting('CULPRIT_DRAIN_SECONDS', 'count', '0', help.drainSeconds),
  workers: setting('CULPRIT_WORKERS', 'count', '0', help.workers),
  trustedProxies: setting('CULPRIT_TRUSTED_PROXIES', 'text', 'loopback', help.trustedProxies),
  smtpUrl: setting('CULPRIT_SMTP_URL', 'text', '', help.smtpUrl),
  mailFrom: setting('CULPRIT_MAIL_FROM', 'text', '', help.mailFrom),
  outboundAllow: setting('CULPRIT_OUTBOUND_ALLOW', 'text', '', help.outboundAllow),
  auditFile: setting('CULPRIT_AUDIT_FILE', 'text', '', help.auditFile),
  backupDir: setting('CULPRIT_BACKUP_DIR', 'text', '', help.backupDir),
  backupSchedule: setting('CULPRIT_BACKUP_SCHEDULE', 'text', '30 3 * * *', help.backupSchedule),
  backupKeep: setting('CULPRIT_BACKUP_KEEP', 'text', 'daily=7,weekly=4,monthly=6', help.backupKeep),
  backupRate: setting('CULPRIT_BACKUP_RATE', 'bytes', '', help.backupRate),
  backupPassphrase: {
    ...setting('CULPRIT_BACKUP_PASSPHRASE', 'text', '', help.backupPassphrase),
    isSecret: true,
  },
  backupPassphraseFile: setting('CULPRIT_BACKUP_PASSPHRASE_FILE', 'text', '', help.backupPassphraseFile),
  backupKeyFile: setting('CULPRIT_BACKUP_KEY_FILE', 'text', '', help.backupKeyFile),
  metrics: setting('CULPRIT_METRICS', 'text', '', help.metrics),
  stormGuard: setting('CULPRIT_STORM_GUARD', 'switch', 'on', help.stormGuard),
  selfReport: setting('CULPRIT_SELF_REPORT', 'switch', 'on', help.selfReport),
  consoleDir: setting('CULPRIT_CONSOLE_DIR', 'text', '', help.consoleDir),
  logLevel: setting('CULPRIT_LOG_LEVEL', 'text', 'info', help.logLevel),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export interface Config {
  /** What this node does, each once. */
  readonly roles: readonly Role[];
  readonly host: string;
  readonly port: number;
  /** '' for off. */
  readonly otlpGrpcPort: number | '';
  /** Absolute. */
  readonly dataDir: string;
  /** Absolute, or '' for the one in the data directory. */
  readonly keyFile: string;
  /** '' for that of the file. */
  readonly secret: string;
  /** Without a trailing slash. '' until the port is known; the program then fills it in. */
  readonly url: string;
  /** `name`, `name:port` or `*.name`, in lower case. */
  readonly allowedHosts: readonly string[];
  /** Addresses of `mailto:`, `https:` or `tel:`. */
  readonly securityContacts: readonly string[];
  readonly logUrl: string;
  readonly eventsUrl: string;
  readonly stateUrl: string;
  readonly blobsUrl: string;
  readonly retentionDays: number;
  readonly resymbolicateDays: number;
  readonly performanceWaitSeconds: number;
  readonly logMaxBytes: number;
  readonly mirrorMaxBytes: number;
  /** 0 for no restore points. */
  readonly restorePointDays: number;
  readonly restorePointMaxBytes: number;
  readonly maxBodyBytes: number;
  readonly maxEnvelopeBytes: number;
  readonly maxUnassembledBytes: number;
  readonly bodyTimeoutSeconds: number;
  /** Between a signal to stop and the end of accepting, in which `/readyz` says so. */
  readonly drainSeconds: number;
  readonly workers: number;
  readonly trustedProxies: readonly string[];
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly outboundAllow: string;
  /** Absolute, or '' for none. */
  readonly auditFile: string;
  /** Absolute, an address of S3, or '' for none. */
  readonly backupDir: string;
  readonly backupSchedule: string;
  readonly backupKeep: string;
  /** Bytes a second; 0 for no limit. */
  readonly backupRate: number;
  readonly backupPassphrase: string;
  /** Absolute, or ''. */
  readonly backupPassphraseFile: string;
  readonly backupKeyFile: string;
  /** Who may read /metrics beside this machine and tokens: anybody, or nobody. */
  readonly metrics: 'public' | '';
  readonly stormGuard: boolean;
  readonly selfReport: boolean;
  /** Absolute, or '' for the one that came along. */
  readonly consoleDir: string;
  readonly logLevel: string;
}

/** Hides the passwords of an address, also where it is no address that could be parsed. */
export function withoutPassword(value: string): string {
  return (
    value
      .replace(/:\/\/([^:@/]*):.*@/s, '://$1:***@')
      // NATS takes a token instead of a user.
      .replace(/^((?:nats|tls):\/\/)[^:@/]+@/, '$1***@')
      .replace(/([?&][^=&]*(?:password|secret|token)[^=&]*=)[^&]*/gi, '$1***')
  );
}

const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (more.length > 0) return false;
  if (bits === undefined && namedNetworks.has(address)) return true;
  const family = isIP(address);
  return family !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)));
}

/** As a `Host` header says it; a star stands for names below. */
const isHost = (text: string): boolean =>
  /^(?:\*\.)?(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::\d{1,5})?$/.test(text);

/** What a security.txt may name (RFC 9116): one line each, of what can stand in an address. */
const isContact = (text: string): boolean =>
  text.length <= 300 && /^(?:mailto:|https:\/\/|tel:)[!-~]+$/.test(text) && URL.canParse(text);

/** What a node with a part of the roles must share with the others, beside the key. */
const sharedSettings = ['logUrl', 'stateUrl', 'eventsUrl', 'blobsUrl'] as const satisfies readonly SettingName[];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Reads and checks every setting; throws `CodedError('CONFIG_INVALID')` naming the setting, the value and what is expected. */
export function readConfig(
  flags: Partial<Record<SettingName, string>> = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const text = (name: SettingName): string =>
    flags[name] ?? (environment[settings[name].env] || settings[name].fallback);
  const refuse = (name: SettingName, expected: string): never => {
    const { env, flag } = settings[name];
    const place = flags[name] === undefined ? env : `--${flag}`;
    throw new CodedError('CONFIG_INVALID', [problems.value(place, withoutPassword(text(name)), expected)]);
  };
  const filled = (name: SettingName, expected: string): string => text(name).trim() || refuse(name, expected);
  const integer = (name: SettingName, least: number, most: number): number => {
    const value = /^\d{1,9}$/.test(text(name)) ? Number(text(name)) : -1;
    return value >= least && value <= most ? value : refuse(name, expects.whole(least, most));
  };
  const bytes = (name: SettingName): number => {
    const match = /^(\d+)\s*([kmgt]?)i?b?$/i.exec(text(name).trim());
    if (!match) return refuse(name, expects.size);
    const value = Number(match[1]) * 1024 ** ['', 'k', 'm', 'g', 't'].indexOf((match[2] ?? '').toLowerCase());
    return value > 0 && Number.isSafeInteger(value) ? value : refuse(name, expects.size);
  };
  const onOrOff = (name: SettingName): boolean =>
    /^(?:on|true|1|yes)$/i.test(text(name)) ||
    (!/^(?:off|false|0|no)$/i.test(text(name)) && refuse(name, expects.switch));
  const url = text('url').replace(/\/+$/, '');
  if (url && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
    refuse('url', expects.url);
  }
  const store = (name: SettingName, schemes: readonly string[]): string => {
    const value = text(name);
    if (value && !schemes.some((scheme) => value.startsWith(`${scheme}://`))) {
      refuse(name, schemes.length ? expects.store(schemes) : expects.embedded);
    }
    return value;
  };
  const list = (name: SettingName): string[] =>
    text(name)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  const hosts = list('allowedHosts').map((part) => part.toLowerCase());
  if (!hosts.every(isHost)) refuse('allowedHosts', expects.hosts);
  const contacts = list('securityContacts').map((part) =>
    /^[^\s@:/]+@[^\s@:/]+$/.test(part) ? `mailto:${part}` : part,
  );
  if (!contacts.every(isContact)) refuse('securityContacts', expects.contacts);
  const proxies = list('trustedProxies').filter((part) => part !== 'none');
  if (!proxies.every(isNetwork)) refuse('trustedProxies', expects.proxies);
  const longEnough = (name: SettingName): string => {
    const value = text(name).trim();
    if (value === '' || value.length >= shortestSecret) return value;
    throw new CodedError('CONFIG_INVALID', [problems.tooShort(settings[name].env, value.length, shortestSecret)]);
  };
  const roles = [...new Set(list('roles').map((part) => part.toLowerCase()))].filter(isRole);
  if (roles.length === 0 || roles.length < new Set(list('roles').map((part) => part.toLowerCase())).size) {
    refuse('roles', expects.roles(roleNames));
  }
  const metrics = text('metrics');
  if (metrics !== '' && metrics !== 'public') {
    return refuse('metrics', expects.metrics);
  }
  if (!logLevels.includes(text('logLevel'))) refuse('logLevel', expects.oneOf(logLevels));
  const matching = (name: SettingName, pattern: RegExp, expected: string): string =>
    pattern.test(text(name)) ? text(name) : refuse(name, expected);
  const readable = (name: SettingName, expected: string, read: (value: string) => unknown): string => {
    try {
      read(text(name));
    } catch (error) {
      refuse(name, error instanceof RangeError ? problems.because(expected, error.message) : expected);
    }
    return text(name);
  };
  if (roles.length < roleNames.length) {
    const missing = sharedSettings.filter((name) => text(name) === '').map((name) => settings[name].env);
    if (text('secret') === '' && text('keyFile') === '') {
      missing.push(`${settings.secret.env} (${settings.keyFile.env})`);
    }
    if (missing.length > 0) throw new CodedError('CONFIG_INVALID', [problems.notShared(roles, missing)]);
  }
  const s3 = (name: SettingName): string => readable(name, expects.s3, (value) => parseS3Address(value, environment));
  return {
    roles,
    host: filled('host', expects.host),
    port: integer('port', 0, 65_535),
    otlpGrpcPort: text('otlpGrpcPort') && integer('otlpGrpcPort', 0, 65_535),
    dataDir: resolve(filled('dataDir', expects.directory)),
    keyFile: text('keyFile') && resolve(text('keyFile')),
    secret: longEnough('secret'),
    url,
    allowedHosts: hosts,
    securityContacts: contacts,
    logUrl: store('logUrl', ['nats', 'tls']),
    eventsUrl: store('eventsUrl', ['http', 'https']),
    stateUrl: store('stateUrl', ['postgres', 'postgresql']),
    blobsUrl: text('blobsUrl') && s3('blobsUrl'),
    retentionDays: integer('retentionDays', 1, 3650),
    resymbolicateDays: integer('resymbolicateDays', 0, 3650),
    performanceWaitSeconds: integer('performanceWaitSeconds', 0, 3600),
    logMaxBytes: bytes('logMaxBytes'),
    mirrorMaxBytes: bytes('mirrorMaxBytes'),
    restorePointDays: integer('restorePointDays', 0, 365),
    restorePointMaxBytes: bytes('restorePointMaxBytes'),
    maxBodyBytes: bytes('maxBodyBytes'),
    maxEnvelopeBytes: bytes('maxEnvelopeBytes'),
    maxUnassembledBytes: bytes('maxUnassembledBytes'),
    bodyTimeoutSeconds: integer('bodyTimeoutSeconds', 1, 3600),
    drainSeconds: integer('drainSeconds', 0, 300),
    workers: integer('workers', 0, 64),
    trustedProxies: proxies,
    smtpUrl: readable('smtpUrl', expects.mailServer, (value) => parseMailSettings(value, '', '')),
    mailFrom: text('mailFrom'),
    outboundAllow: readable('outboundAllow', expects.outbound, parseAllowList),
    auditFile: text('auditFile') && resolve(text('auditFile')),
    backupDir: isS3(text('backupDir')) ? s3('backupDir') : text('backupDir') && resolve(text('backupDir')),
    backupSchedule: readable('backupSchedule', expects.schedule, (value) => new Cron(value)),
    backupKeep: matching(
      'backupKeep',
      /^(?:daily|weekly|monthly)=\d{1,4}(?:,(?:daily|weekly|monthly)=\d{1,4})*$/,
      expects.keep,
    ),
    backupRate: text('backupRate') === '' ? 0 : bytes('backupRate'),
    backupPassphrase: text('backupPassphrase'),
    backupPassphraseFile: text('backupPassphraseFile') && resolve(text('backupPassphraseFile')),
    backupKeyFile: text('backupKeyFile') && resolve(text('backupKeyFile')),
    metrics,
    stormGuard: onOrOff('stormGuard'),
    selfReport: onOrOff('selfReport'),
    consoleDir: text('consoleDir') && resolve(text('consoleDir')),
    logLevel: text('logLevel'),
  };
}
