/** Which keys and which texts are sensitive, by the project's settings. */

/** What scrubbing needs of a project's settings. */
export interface ScrubSettings {
  readonly storeIpAddresses: boolean;
  readonly scrubData: boolean;
  readonly scrubDefaults: boolean;
  readonly sensitiveFields: readonly string[];
  readonly safeFields: readonly string[];
}

export const filtered = '[Filtered]';

export type KeyKind = 'plain' | 'sensitive' | 'safe';

const sensitiveWords = [
  'password',
  'secret',
  'passwd',
  'api_key',
  'api-key',
  'apikey',
  'auth',
  'credentials',
  'mysql_pwd',
  'privatekey',
  'private_key',
  'private-key',
  'token',
];
const sensitiveKeys = ['otp', 'two_factor', 'two-factor'];

const sessionCookies = new Set([
  'sentrysid',
  'sudo',
  'su',
  'session',
  '__session',
  'sessionid',
  'user_session',
  'symfony',
  'phpsessid',
  'fasthttpsessionid',
  'mysession',
  'irissessionid',
  '_vercel_jwt',
  'csrf',
  'xsrf',
  '_xsrf',
  '_csrf',
  'csrf-token',
  'csrf_token',
  'xsrf-token',
  'xsrf_token',
  'fastcsrf',
  '_iris_csrf',
]);

/** Secret as parameters of a URL, ordinary words elsewhere. */
const parameters = new Set([
  'sig',
  'signature',
  'code',
  'key',
  'x-amz-signature',
  'x-amz-credential',
  'x-goog-signature',
  'x-goog-credential',
  'awsaccesskeyid',
]);

/** Keys repeat from event to event; beyond this many the memory starts over. */
const maxKnownKeys = 5000;

export class ScrubRules {
  /** Whether anything is scrubbed beyond addresses. */
  readonly active: boolean;
  readonly removeAddresses: boolean;
  /** Whether the built-in words and text rules apply. */
  readonly defaults: boolean;
  readonly #words: RegExp | undefined;
  readonly #safe: ReadonlySet<string>;
  readonly #keys = new Map<string, KeyKind>();

  constructor(settings: ScrubSettings) {
    this.active = settings.scrubData;
    this.removeAddresses = !settings.storeIpAddresses;
    this.defaults = settings.scrubData && settings.scrubDefaults;
    this.#safe = new Set(settings.safeFields.map((field) => field.trim().toLowerCase()).filter(Boolean));
    const extra = settings.sensitiveFields
      .map((field) => field.trim())
      .filter(Boolean)
      .slice(0, 200);
    const words = [...(this.defaults ? sensitiveWords : []), ...extra].map((word) => escape(word));
    if (this.defaults) words.push(...sensitiveKeys.map((key) => `^${escape(key)}$`));
    this.#words = settings.scrubData && words.length > 0 ? new RegExp(words.join('|'), 'i') : undefined;
  }

  key(name: string): KeyKind {
    let kind = this.#keys.get(name);
    if (kind !== undefined) return kind;
    kind = this.#judge(name);
    if (this.#keys.size >= maxKnownKeys) this.#keys.clear();
    if (name.length <= 200) this.#keys.set(name, kind);
    return kind;
  }

  #judge(name: string): KeyKind {
    if (this.#safe.has(name.toLowerCase())) return 'safe';
    return this.#words?.test(name.slice(0, 1024)) ? 'sensitive' : 'plain';
  }

  /** Of a parameter in the query of a URL. */
  parameter(name: string, value: unknown): KeyKind {
    const kind = this.key(name);
    if (kind !== 'plain' || !this.defaults || !parameters.has(name.toLowerCase())) return kind;
    // `?code=404` is a status, `?key=id` a column.
    return typeof value === 'string' && value.length >= 6 ? 'sensitive' : 'plain';
  }

  cookie(name: string): KeyKind {
    const kind = this.key(name);
    return kind === 'plain' && this.defaults && sessionCookies.has(name.toLowerCase()) ? 'sensitive' : kind;
  }
}

/** The text as a regular expression that matches just it. */
function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

const known = new WeakMap<ScrubSettings, ScrubRules>();

/** Rules of these settings, made once per settings object. */
export function scrubRules(settings: ScrubSettings): ScrubRules {
  let rules = known.get(settings);
  if (!rules) known.set(settings, (rules = new ScrubRules(settings)));
  return rules;
}
