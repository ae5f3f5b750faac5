/** Which names are sensitive, by the project's settings; the built-in ones are in `names.ts`. */
import { KnownClean } from './known-clean.ts';
import { isParameterName, isSecretName, isSecretParameter, isSessionCookie } from './names.ts';
import { isHarmlessData, isHarmlessText } from './values.ts';

/** What scrubbing needs of a project's settings. */
export interface ScrubSettings {
  readonly storeIpAddresses: boolean;
  readonly scrubData: boolean;
  readonly scrubDefaults: boolean;
  readonly sensitiveFields: readonly string[];
  readonly safeFields: readonly string[];
  /** Rules of the project in Relay's language, as JSON; '' for none. */
  readonly scrubRules?: string;
  /** The same of its organisation. */
  readonly organizationRules?: string;
  /** Whether who a user is is kept as a pseudonym alone. */
  readonly pseudonymizeUsers?: boolean;
  /** Secret of hashes and pseudonyms that have none of their own. */
  readonly pseudonymKey?: string;
}

export const filtered = '[Filtered]';

export type KeyKind = 'plain' | 'sensitive' | 'safe';

/** Keys repeat from event to event; beyond this many the memory starts over. */
const maxKnownKeys = 5000;

export class ScrubRules {
  /** Whether anything is scrubbed beyond addresses. */
  readonly active: boolean;
  readonly removeAddresses: boolean;
  /** Whether the built-in rules apply. */
  readonly defaults: boolean;
  /** Fields of the project's own. */
  readonly #own: RegExp | undefined;
  readonly #safe: ReadonlySet<string>;
  readonly #keys = new Map<string, KeyKind>();
  readonly cleanIds = new KnownClean();
  readonly cleanCode = new KnownClean();

  constructor(settings: ScrubSettings) {
    this.active = settings.scrubData;
    this.removeAddresses = !settings.storeIpAddresses;
    this.defaults = settings.scrubData && settings.scrubDefaults;
    this.#safe = new Set(settings.safeFields.map((field) => field.trim().toLowerCase()).filter(Boolean));
    const own = settings.sensitiveFields
      .map((field) => field.trim())
      .filter(Boolean)
      .slice(0, 200)
      .map((field) => escape(field));
    this.#own = settings.scrubData && own.length > 0 ? new RegExp(own.join('|'), 'i') : undefined;
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
    if (this.#own?.test(name.slice(0, 1024))) return 'sensitive';
    return this.defaults && isSecretName(name) ? 'sensitive' : 'plain';
  }

  /** Of a key with this value: what cannot be a secret stays, unless the project names the field. */
  entry(name: string, value: unknown): KeyKind {
    const kind = this.key(name);
    if (kind !== 'sensitive') return kind;
    const harmless = typeof value === 'string' ? isHarmlessText(name, value) : isHarmlessData(name, value);
    return harmless && !this.#own?.test(name) ? 'plain' : kind;
  }

  /** Of a parameter in the query of a URL. */
  parameter(name: string, value: unknown): KeyKind {
    const kind = this.entry(name, value);
    const signature = kind === 'plain' && this.defaults && typeof value === 'string' && isParameterName(name);
    return signature && isSecretParameter(name, value) ? 'sensitive' : kind;
  }

  cookie(name: string): KeyKind {
    const kind = this.key(name);
    return kind === 'plain' && this.defaults && isSessionCookie(name) ? 'sensitive' : kind;
  }
}

/** The text as a regular expression that matches just it. */
function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

const known = new WeakMap<ScrubSettings, ScrubRules>();
/** By what they say: nearly all projects leave their settings as they are, and what one of them has learnt holds for all. */
const bySettings = new Map<string, ScrubRules>();
const maxRules = 50;
let last: { readonly settings: ScrubSettings; readonly rules: ScrubRules } | undefined;

/** Rules of these settings, made once for all that are alike. */
export function scrubRules(settings: ScrubSettings): ScrubRules {
  if (last?.settings === settings) return last.rules;
  let rules = known.get(settings);
  if (!rules) known.set(settings, (rules = rulesLike(settings)));
  last = { settings, rules };
  return rules;
}

function rulesLike(settings: ScrubSettings): ScrubRules {
  const { storeIpAddresses, scrubData, scrubDefaults, sensitiveFields, safeFields } = settings;
  const key = JSON.stringify([storeIpAddresses, scrubData, scrubDefaults, sensitiveFields, safeFields]);
  let rules = bySettings.get(key);
  if (rules) return rules;
  rules = new ScrubRules(settings);
  if (bySettings.size >= maxRules) bySettings.clear();
  bySettings.set(key, rules);
  return rules;
}
