/** Scrubbing held to published cases: what decides a case, for the tests and for whoever brings more of them. */
import { z } from 'zod';
import { settleClientAddress } from '../client-address.ts';
import type { Verdict } from '../conformance-data.ts';
import { asObject } from '../json.ts';
import { makeEvent } from '../make-event.ts';
import { Remarks } from '../remarks.ts';
import { scrubEvent, type ScrubSettings } from './index.ts';
import { readOwnRules } from './own/index.ts';

const published = z.object({
  id: z.string(),
  settings: z.object({
    scrub_data: z.boolean(),
    scrub_defaults: z.boolean(),
    scrub_ip_addresses: z.boolean(),
    sensitive_fields: z.array(z.string()),
    safe_fields: z.array(z.string()),
  }),
  input: z.unknown(),
  expected: z.unknown(),
});

const generated = z.object({
  id: z.string(),
  input: z.unknown(),
  gone: z.array(z.string()),
  kept: z.array(z.string()),
});

const file = z.object({ cases: z.array(z.union([generated, published])) });

const everything: ScrubSettings = {
  storeIpAddresses: true,
  scrubData: true,
  scrubDefaults: true,
  sensitiveFields: [],
  safeFields: [],
};

function scrubbed(input: unknown, settings: ScrubSettings): unknown {
  const remarks = new Remarks();
  const event = makeEvent(input, {}, remarks);
  settleClientAddress(event, undefined, settings.storeIpAddresses);
  scrubEvent(event, settings, remarks);
  return JSON.parse(JSON.stringify(event));
}

/** Whether all of `wanted` stands in `found`; null and absent are equal. */
function holds(wanted: unknown, found: unknown): boolean {
  if (wanted === null || wanted === undefined) return found === null || found === undefined;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((entry, index) => holds(entry, found[index]))
    );
  }
  const object = asObject(wanted);
  if (!object) return wanted === found;
  return Object.entries(object).every(([key, entry]) => holds(entry, asObject(found)?.[key]));
}

const quoted = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(', ');

function judgeGenerated({ id, input, gone, kept }: z.output<typeof generated>): Verdict {
  const text = JSON.stringify(scrubbed(input, everything));
  const leaked = gone.filter((part) => text.includes(part));
  const lost = kept.filter((part) => !text.includes(part));
  const why = [leaked.length ? `kept ${quoted(leaked)}` : '', lost.length ? `took out ${quoted(lost)}` : ''];
  return { id, passed: leaked.length + lost.length === 0, why: why.filter(Boolean).join('; ') || undefined };
}

function judgePublished({ id, settings, input, expected }: z.output<typeof published>): Verdict {
  const event = scrubbed(input, {
    storeIpAddresses: !settings.scrub_ip_addresses,
    scrubData: settings.scrub_data,
    scrubDefaults: settings.scrub_defaults,
    sensitiveFields: settings.sensitive_fields,
    safeFields: settings.safe_fields,
  });
  const passed = holds(expected, event);
  return { id, passed, why: passed ? undefined : `became ${JSON.stringify(event).slice(0, 500)}` };
}

/** As Relay writes such settings in its own language: what is not named by a field goes by the built-in rules. */
function inRelaysLanguage({ settings }: z.output<typeof published>): string {
  const applied = settings.scrub_data && settings.scrub_defaults ? ['@common:filter'] : [];
  if (settings.scrub_ip_addresses) applied.push('@ip:replace');
  const names = settings.scrub_data ? settings.sensitive_fields.map((name) => name.trim()).filter(Boolean) : [];
  if (names.length > 0) applied.push('strip-fields');
  const keyPattern = `(?i)${names.map((name) => name.replace(/[^\w]/g, (sign) => (sign < '\x80' ? `\\${sign}` : sign))).join('|')}`;
  const kept = settings.safe_fields.map((name) => ` && !'${name.replaceAll("'", "''")}'`).join('');
  const ignored = 'debug_meta.** | $frame.filename | $frame.abs_path | $logentry.formatted | $error.value';
  return JSON.stringify({
    rules: {
      'strip-fields': { type: 'redact_pair', keyPattern, redaction: { method: 'replace', text: '[Filtered]' } },
    },
    applications: { [`($string | $number | $array | $object) && !(${ignored})${kept}`]: applied },
  });
}

/** The published cases once more, by rules in Relay's language alone. */
export function judgeRuleLanguage(json: unknown): Verdict[] {
  return file.parse(json).cases.flatMap((one): Verdict[] => {
    if ('gone' in one) return [];
    const scrubRules = inRelaysLanguage(one);
    const { problems } = readOwnRules(scrubRules, { prefix: 'project', hashKey: '' });
    if (problems.length > 0)
      return [{ id: one.id, passed: false, why: problems.map(({ message }) => message).join('; ') }];
    const event = scrubbed(one.input, {
      ...everything,
      storeIpAddresses: !one.settings.scrub_ip_addresses,
      scrubData: false,
      scrubRules,
    });
    const passed = holds(one.expected, event);
    return [{ id: one.id, passed, why: passed ? undefined : `became ${JSON.stringify(event).slice(0, 500)}` }];
  });
}

/** `json` is the parsed `cases.json` or `generated.json`. */
export const judgeScrubbing = (json: unknown): Verdict[] =>
  file.parse(json).cases.map((one) => ('gone' in one ? judgeGenerated(one) : judgePublished(one)));
