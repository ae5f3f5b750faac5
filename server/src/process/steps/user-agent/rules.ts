/**
 * The published rules of uap-core: browser, operating system and device by regular expressions, the first that matches.
 * They are read when the first header comes, which takes a tenth of a second.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { z } from 'zod';
import { newerBrowserOf, newerSystemOf, namedByItself, systemOfKernel } from './newer.ts';

/** A version as far as it is told, most significant first; what is not told is undefined. */
export interface Versioned {
  /** `Other` where no rule knows it. */
  readonly family: string;
  readonly parts: readonly (string | undefined)[];
}

export interface Device {
  /** `Other` where no rule knows it. */
  readonly family: string;
  readonly brand: string | undefined;
  readonly model: string | undefined;
}

const rule = z.looseObject({ regex: z.string(), regex_flag: z.literal('i').optional() });
const file = z.object({
  user_agent_parsers: z.array(rule),
  os_parsers: z.array(rule),
  device_parsers: z.array(rule),
});

interface Rule {
  readonly form: RegExp;
  /** Templates by place: the family, then what follows it; undefined: the group of that place. */
  readonly templates: readonly (string | undefined)[];
}

function rulesOf(list: readonly z.output<typeof rule>[], names: readonly string[]): Rule[] {
  return list.map((one) => ({
    form: new RegExp(one.regex, one.regex_flag),
    templates: names.map((name) => (typeof one[name] === 'string' ? one[name] : undefined)),
  }));
}

interface Rules {
  readonly browsers: readonly Rule[];
  readonly systems: readonly Rule[];
  readonly devices: readonly Rule[];
}

let loaded: Rules | undefined;

function rules(): Rules {
  if (loaded) return loaded;
  const path = fileURLToPath(import.meta.resolve('uap-core/regexes.yaml'));
  const read = file.parse(load(readFileSync(path, 'utf8')));
  const versions = ['v1_replacement', 'v2_replacement', 'v3_replacement'];
  const systemVersions = versions.map((name) => `os_${name}`);
  loaded = {
    browsers: rulesOf(read.user_agent_parsers, ['family_replacement', ...versions, 'v4_replacement']),
    systems: rulesOf(read.os_parsers, ['os_replacement', ...systemVersions, 'os_v4_replacement']),
    devices: rulesOf(read.device_parsers, ['device_replacement', 'brand_replacement', 'model_replacement']),
  };
  return loaded;
}

const filled = (template: string, match: RegExpExecArray): string =>
  template.replaceAll(/\$([1-9])/g, (_whole, digit: string) => match[Number(digit)] ?? '').trim();

function firstMatch(list: readonly Rule[], text: string): [Rule, RegExpExecArray] | undefined {
  for (const one of list) {
    const match = one.form.exec(text);
    if (match) return [one, match];
  }
  return undefined;
}

function versioned(list: readonly Rule[], text: string): Versioned {
  const found = firstMatch(list, text);
  if (!found) return { family: 'Other', parts: [] };
  const [{ templates }, match] = found;
  const [family, ...parts] = templates.map(
    (template, index) => (template === undefined ? match[index + 1] : filled(template, match)) || undefined,
  );
  return { family: family ?? 'Other', parts };
}

export function browserOf(text: string): Versioned {
  const newer = newerBrowserOf(text);
  if (newer) return newer;
  const seen = versioned(rules().browsers, text);
  return namedByItself(text, seen) ?? seen;
}

export function systemOf(text: string): Versioned {
  const newer = newerSystemOf(text);
  if (newer) return newer;
  const seen = versioned(rules().systems, text);
  return systemOfKernel(text, seen) ?? seen;
}

export function deviceOf(text: string): Device {
  const found = firstMatch(rules().devices, text);
  if (!found) return { family: 'Other', brand: undefined, model: undefined };
  const [{ templates }, match] = found;
  const [family, brand, model] = templates.map((template) => template && filled(template, match));
  return {
    family: family ?? match[1] ?? 'Other',
    brand: brand || undefined,
    model: (model ?? match[1]) || undefined,
  };
}
