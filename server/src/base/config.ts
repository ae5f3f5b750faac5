/**
 * Configuration: flags win over `CULPRIT_*` environment variables, which win over defaults. Every setting stands in
 * `settings`; flags, environment names, help and `culprit config` are made from it.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { CodedError } from './errors.ts';
import { parseMailSettings } from './mail-settings.ts';
import { parseAllowList } from './outbound/allow-list.ts';
import { shortestSecret } from './secrets/index.ts';

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
  host: setting('CULPRIT_HOST', 'text', '127.0.0.1', 'address to listen on; 0.0.0.0 for all'),
  port: setting('CULPRIT_PORT', 'port', '7420', 'port to listen on; 0 for any free port'),
  dataDir: setting('CULPRIT_DATA_DIR', 'text', './culprit-data', 'directory of the embedded stores'),
  keyFile: setting(
    'CULPRIT_KEY_FILE',
    'text',
    '',
    'file with the key that seals secrets and queued requests; created if missing (default: secret.key in the data directory)',
  ),
  secret: {
    ...setting(
      'CULPRIT_SECRET',
      'text',
      '',
      'the key as text, at least 32 characters, instead of the file; the same on every node',
    ),
    isSecret: true,
  },
  url: setting('CULPRIT_URL', 'url', '', 'public address for DSNs and links (default: http://localhost:<port>)'),
  allowedHosts: setting(
    'CULPRIT_ALLOWED_HOSTS',
    'text',
    '',
    'comma-separated host names for sign-in in addition to CULPRIT_URL; *.example.com allows a whole domain',
  ),
  securityContacts: setting(
    'CULPRIT_SECURITY_CONTACT',
    'text',
    '',
    'comma-separated contacts for reports of vulnerabilities, shown in /.well-known/security.txt; mailto:, https: or tel:',
  ),
  logUrl: setting('CULPRIT_LOG_URL', 'text', '', 'queue of received envelopes; unset: embedded'),
  eventsUrl: setting(
    'CULPRIT_EVENTS_URL',
    'text',
    '',
    'ClickHouse, http(s)://user:password@host:8123/database; unset: embedded',
  ),
  stateUrl: setting(
    'CULPRIT_STATE_URL',
    'text',
    '',
    'PostgreSQL, postgres://user:password@host/database; unset: embedded',
  ),
  blobsUrl: setting('CULPRIT_BLOBS_URL', 'text', '', 'storage of large payloads; unset: embedded'),
  retentionDays: setting('CULPRIT_RETENTION_DAYS', 'days', '90', 'days to keep events'),
  resymbolicateDays: setting(
    'CULPRIT_RESYMBOLICATE_DAYS',
    'days',
    '14',
    'days back to symbolicate events again when source maps arrive late',
  ),
  performanceWaitSeconds: setting(
    'CULPRIT_PERFORMANCE_WAIT_SECONDS',
    'count',
    '10',
    'seconds to wait for late spans before checking a segment for performance problems',
  ),
  logMaxBytes: setting(
    'CULPRIT_LOG_MAX_BYTES',
    'bytes',
    '10g',
    'maximum bytes in the log; ingestion then responds 503',
  ),
  maxBodyBytes: setting('CULPRIT_MAX_BODY_BYTES', 'bytes', '20m', 'largest request body as sent'),
  maxEnvelopeBytes: setting('CULPRIT_MAX_ENVELOPE_BYTES', 'bytes', '200m', 'largest envelope after decompression'),
  maxUnassembledBytes: setting(
    'CULPRIT_MAX_UNASSEMBLED_BYTES',
    'bytes',
    '2g',
    'maximum bytes of unfinished build uploads per organisation',
  ),
  bodyTimeoutSeconds: setting('CULPRIT_BODY_TIMEOUT_SECONDS', 'count', '30', 'seconds for a body to arrive'),
  workers: setting('CULPRIT_WORKERS', 'count', '0', 'processing threads; 0: one fewer than the number of cores'),
  trustedProxies: setting(
    'CULPRIT_TRUSTED_PROXIES',
    'text',
    'loopback',
    'comma-separated addresses or networks with a trusted X-Forwarded-For; none: trust none',
  ),
  smtpUrl: setting(
    'CULPRIT_SMTP_URL',
    'text',
    '',
    'mail server, smtp://user:password@host:587 or smtps://…; unset: mail is off',
  ),
  mailFrom: setting(
    'CULPRIT_MAIL_FROM',
    'text',
    '',
    'sender of mail, as address or "Name <address>" (default: the user of the mail server, or culprit@<host>)',
  ),
  outboundAllow: setting(
    'CULPRIT_OUTBOUND_ALLOW',
    'text',
    '',
    'comma-separated private addresses, networks or hosts that channels may call, with or without a port',
  ),
  auditFile: setting(
    'CULPRIT_AUDIT_FILE',
    'text',
    '',
    'file to append entries of the audit log to, as JSON Lines; unset: none',
  ),
  metrics: setting(
    'CULPRIT_METRICS',
    'text',
    '',
    'access to /metrics; unset: this machine, and tokens with org:read; public: everyone',
  ),
  selfReport: setting(
    'CULPRIT_SELF_REPORT',
    'switch',
    'on',
    'report failures of Culprit to its own project "culprit" only: on or off',
  ),
  consoleDir: setting('CULPRIT_CONSOLE_DIR', 'text', '', 'directory of the built console; unset: the bundled one'),
  logLevel: setting('CULPRIT_LOG_LEVEL', 'text', 'info', 'fatal, error, warn, info, debug, trace or silent'),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export interface Config {
  readonly host: string;
  readonly port: number;
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
  readonly maxBodyBytes: number;
  readonly maxEnvelopeBytes: number;
  readonly maxUnassembledBytes: number;
  readonly bodyTimeoutSeconds: number;
  readonly workers: number;
  readonly trustedProxies: readonly string[];
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly outboundAllow: string;
  /** Absolute, or '' for none. */
  readonly auditFile: string;
  /** Who may read /metrics beside this machine and tokens: anybody, or nobody. */
  readonly metrics: 'public' | '';
  readonly selfReport: boolean;
  /** Absolute, or '' for the one that came along. */
  readonly consoleDir: string;
  readonly logLevel: string;
}

/** Hides the passwords of an address, also where it is no address that could be parsed. */
export function withoutPassword(value: string): string {
  return value
    .replace(/:\/\/([^:@/]*):.*@/s, '://$1:***@')
    .replace(/([?&][^=&]*(?:password|secret|token)[^=&]*=)[^&]*/gi, '$1***');
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
    throw new CodedError('CONFIG_INVALID', [`${place} is "${withoutPassword(text(name))}"; expected ${expected}`]);
  };
  const filled = (name: SettingName, expected: string): string => text(name).trim() || refuse(name, expected);
  const integer = (name: SettingName, least: number, most: number): number => {
    const value = /^\d{1,9}$/.test(text(name)) ? Number(text(name)) : -1;
    return value >= least && value <= most ? value : refuse(name, `a whole number from ${least} to ${most}`);
  };
  const bytes = (name: SettingName): number => {
    const match = /^(\d+)\s*([kmgt]?)i?b?$/i.exec(text(name).trim());
    if (!match) return refuse(name, 'a size such as 20m or 10g');
    const value = Number(match[1]) * 1024 ** ['', 'k', 'm', 'g', 't'].indexOf((match[2] ?? '').toLowerCase());
    return value > 0 && Number.isSafeInteger(value) ? value : refuse(name, 'a size such as 20m or 10g');
  };
  const onOrOff = (name: SettingName): boolean =>
    /^(?:on|true|1|yes)$/i.test(text(name)) || (!/^(?:off|false|0|no)$/i.test(text(name)) && refuse(name, 'on or off'));
  const url = text('url').replace(/\/+$/, '');
  if (url && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
    refuse('url', 'an address such as https://culprit.example.com');
  }
  const store = (name: SettingName, schemes: readonly string[]): string => {
    const value = text(name);
    if (value && !schemes.some((scheme) => value.startsWith(`${scheme}://`))) {
      refuse(
        name,
        schemes.length
          ? `${schemes.map((scheme) => `${scheme}://…`).join(' or ')}, or nothing for the embedded store`
          : 'nothing: only the embedded store is supported',
      );
    }
    return value;
  };
  const list = (name: SettingName): string[] =>
    text(name)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  const hosts = list('allowedHosts').map((part) => part.toLowerCase());
  if (!hosts.every(isHost)) refuse('allowedHosts', 'names such as culprit.example.com, *.example.com or 10.0.0.5:7420');
  const contacts = list('securityContacts').map((part) =>
    /^[^\s@:/]+@[^\s@:/]+$/.test(part) ? `mailto:${part}` : part,
  );
  if (!contacts.every(isContact))
    refuse('securityContacts', 'contacts such as security@example.com or https://example.com/security');
  const proxies = list('trustedProxies').filter((part) => part !== 'none');
  if (!proxies.every(isNetwork))
    refuse('trustedProxies', 'addresses or networks such as 10.0.0.0/8, loopback, or none');
  const longEnough = (name: SettingName): string => {
    const value = text(name).trim();
    if (value === '' || value.length >= shortestSecret) return value;
    throw new CodedError('CONFIG_INVALID', [
      `${settings[name].env} has ${value.length} characters; expected at least ${shortestSecret}. Generate one with "openssl rand -base64 32"`,
    ]);
  };
  const metrics = text('metrics');
  if (metrics !== '' && metrics !== 'public') {
    return refuse('metrics', 'public, or nothing for this machine and tokens only');
  }
  if (!logLevels.includes(text('logLevel'))) refuse('logLevel', `one of ${logLevels.join(', ')}`);
  const readable = (name: SettingName, expected: string, read: (value: string) => unknown): string => {
    try {
      read(text(name));
    } catch (error) {
      refuse(name, error instanceof RangeError ? `${expected}: ${error.message}` : expected);
    }
    return text(name);
  };
  return {
    host: filled('host', 'an address such as 127.0.0.1'),
    port: integer('port', 0, 65_535),
    dataDir: resolve(filled('dataDir', 'a directory')),
    keyFile: text('keyFile') && resolve(text('keyFile')),
    secret: longEnough('secret'),
    url,
    allowedHosts: hosts,
    securityContacts: contacts,
    logUrl: store('logUrl', []),
    eventsUrl: store('eventsUrl', ['http', 'https']),
    stateUrl: store('stateUrl', ['postgres', 'postgresql']),
    blobsUrl: store('blobsUrl', []),
    retentionDays: integer('retentionDays', 1, 3650),
    resymbolicateDays: integer('resymbolicateDays', 0, 3650),
    performanceWaitSeconds: integer('performanceWaitSeconds', 0, 3600),
    logMaxBytes: bytes('logMaxBytes'),
    maxBodyBytes: bytes('maxBodyBytes'),
    maxEnvelopeBytes: bytes('maxEnvelopeBytes'),
    maxUnassembledBytes: bytes('maxUnassembledBytes'),
    bodyTimeoutSeconds: integer('bodyTimeoutSeconds', 1, 3600),
    workers: integer('workers', 0, 64),
    trustedProxies: proxies,
    smtpUrl: readable('smtpUrl', 'a mail server', (value) => parseMailSettings(value, '', '')),
    mailFrom: text('mailFrom'),
    outboundAllow: readable('outboundAllow', 'addresses, networks or hosts', parseAllowList),
    auditFile: text('auditFile') && resolve(text('auditFile')),
    metrics,
    selfReport: onOrOff('selfReport'),
    consoleDir: text('consoleDir') && resolve(text('consoleDir')),
    logLevel: text('logLevel'),
  };
}
