/** One rule of the simple form, put into a text of rules. */

export const kinds = [
  'ip',
  'email',
  'creditcard',
  'iban',
  'usssn',
  'userpath',
  'urlauth',
  'uuid',
  'mac',
  'imei',
  'pemkey',
  'password',
  'anything',
  'identity',
  'key',
  'pattern',
] as const;

export type Kind = (typeof kinds)[number];

/** Whose identity numbers the server knows. */
export const countries = [
  'au',
  'be',
  'br',
  'ca',
  'cn',
  'de',
  'es',
  'fi',
  'fr',
  'gb',
  'in',
  'it',
  'kr',
  'nl',
  'pl',
  'se',
  'us',
] as const;

export const methods = ['remove', 'replace', 'mask', 'hash'] as const;

export interface WantedRule {
  readonly kind: Kind;
  /** Of `key` and `pattern`. */
  readonly text: string;
  /** Of `identity`. */
  readonly country: (typeof countries)[number];
  readonly where: string;
  readonly method: (typeof methods)[number];
}

interface Config {
  rules?: Record<string, unknown>;
  applications?: Record<string, string[]>;
}

/** Undefined where the text is no JSON that a rule could be added to. */
export function addRule(text: string, { kind, text: sought, country, where, method }: WantedRule): string | undefined {
  const config = read(text);
  if (!config) return undefined;
  const rules = { ...config.rules };
  let id = `@${kind}:${method}`;
  const own = {
    key: { type: 'redact_pair', keyPattern: `(?i)${literal(sought)}` },
    pattern: { type: 'pattern', pattern: sought },
    identity: { type: 'identity_number', countries: [country] },
  };
  if (kind === 'key' || kind === 'pattern' || kind === 'identity') {
    id = freeName(kind, rules);
    rules[id] = { ...own[kind], redaction: { method } };
  }
  const applied = config.applications?.[where] ?? [];
  const applications = { ...config.applications, [where]: applied.includes(id) ? applied : [...applied, id] };
  return JSON.stringify({ ...config, ...(Object.keys(rules).length > 0 && { rules }), applications }, null, 2);
}

function read(text: string): Config | undefined {
  if (text.trim() === '') return {};
  try {
    const config: unknown = JSON.parse(text);
    return typeof config === 'object' && config !== null && !Array.isArray(config) ? config : undefined;
  } catch {
    return undefined;
  }
}

function freeName(kind: string, rules: object): string {
  let number = 1;
  while (Object.hasOwn(rules, `${kind}_${number}`)) number++;
  return `${kind}_${number}`;
}

/** For just this text in an expression. */
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
