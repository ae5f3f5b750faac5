/** Rules that are always there, by Relay's names: `@ip`, `@ip:hash`, `@common`. */
import { type FormName, forms } from './forms.ts';
import { defaultReplacement, type Method } from './methods.ts';

export type BuiltIn =
  | { readonly kind: 'form'; readonly form: FormName; readonly method: Method }
  | { readonly kind: 'anything'; readonly method: Method }
  | { readonly kind: 'url password'; readonly method: Method }
  | { readonly kind: 'multiple'; readonly rules: readonly string[] };

/** Its name in rules, what is written in its place, and what `@name` alone does. */
const written = {
  ip: ['ip', '[ip]', 'replace'],
  email: ['email', '[email]', 'replace'],
  creditcard: ['creditcard', '[creditcard]', 'replace'],
  iban: ['iban', '[iban]', 'replace'],
  imei: ['imei', '[imei]', 'replace'],
  mac: ['mac', '[mac]', 'mask'],
  uuid: ['uuid', '[uuid]', 'mask'],
  pemkey: ['pemkey', '[pemkey]', 'replace'],
  url_auth: ['urlauth', '[auth]', 'replace'],
  us_ssn: ['usssn', '[us-ssn]', 'mask'],
  userpath: ['userpath', '[user]', 'replace'],
  bearer: ['bearer', '[token]', 'replace'],
  password: ['password', '[password]', 'remove'],
} as const satisfies Record<FormName, readonly [string, string, Method['kind']]>;

const methods = (text: string): Readonly<Record<string, Method>> => ({
  remove: { kind: 'remove' },
  replace: { kind: 'replace', text },
  mask: { kind: 'mask' },
  hash: { kind: 'hash' },
  filter: { kind: 'replace', text: defaultReplacement },
});

/** Under its full name, which remarks say. */
export interface BuiltInRule {
  readonly name: string;
  readonly rule: BuiltIn;
}

function entries(): [string, BuiltInRule][] {
  const found: [string, BuiltInRule][] = [];
  const add = (name: string, rule: BuiltIn): number => found.push([name, { name, rule }]);
  for (const form of Object.keys(forms) as FormName[]) {
    const [name, text, usual] = written[form];
    for (const [kind, method] of Object.entries(methods(text))) add(`@${name}:${kind}`, { kind: 'form', form, method });
    add(`@${name}`, { kind: 'form', form, method: methods(text)[usual] ?? { kind: 'remove' } });
  }
  for (const [kind, method] of Object.entries(methods(defaultReplacement)))
    add(`@anything:${kind}`, { kind: 'anything', method });
  add('@anything', { kind: 'anything', method: { kind: 'replace', text: defaultReplacement } });
  add('@urlauth:legacy', { kind: 'url password', method: { kind: 'replace', text: defaultReplacement } });
  const common = ['iban', 'email', 'ip', 'creditcard', 'pemkey', 'urlauth', 'userpath', 'password', 'usssn'];
  add('@common', { kind: 'multiple', rules: common.map((name) => `@${name}`) });
  const filters = ['creditcard', 'iban', 'pemkey', 'userpath', 'password', 'usssn'].map((name) => `@${name}:filter`);
  add('@common:filter', { kind: 'multiple', rules: ['@urlauth:legacy', ...filters] });
  return found;
}

export const builtIns: ReadonlyMap<string, BuiltInRule> = new Map(entries());
