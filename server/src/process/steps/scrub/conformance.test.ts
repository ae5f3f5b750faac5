import { describe, expect, it } from 'vitest';
import { settleClientAddress } from '../client-address.ts';
import { readJson, report, sharedFolder } from '../conformance-data.ts';
import { asObject } from '../json.ts';
import { makeEvent } from '../make-event.ts';
import { Remarks } from '../remarks.ts';
import { scrubEvent, type ScrubSettings } from './index.ts';

const folder = sharedFolder('conformance/pii', 'comparison of scrubbing with published cases') ?? '';

interface Case {
  readonly id: string;
  readonly settings: {
    readonly scrub_data: boolean;
    readonly scrub_defaults: boolean;
    readonly scrub_ip_addresses: boolean;
    readonly sensitive_fields: string[];
    readonly safe_fields: string[];
  };
  readonly input: unknown;
  readonly expected: unknown;
}

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

describe.skipIf(folder === '')('conformance of scrubbing', () => {
  it('published cases', () => {
    const { cases } = readJson<{ cases: Case[] }>(folder, 'cases.json');
    const results = cases.map(({ id, settings, input, expected }) => {
      const event = scrubbed(input, {
        storeIpAddresses: !settings.scrub_ip_addresses,
        scrubData: settings.scrub_data,
        scrubDefaults: settings.scrub_defaults,
        sensitiveFields: settings.sensitive_fields,
        safeFields: settings.safe_fields,
      });
      return { id, passed: holds(expected, event) };
    });
    expect(report('scrubbing, published', results)).toBe(1);
  });

  it('nothing leaks, nothing harmless goes', () => {
    const { cases } = readJson<{ cases: { id: string; input: unknown; gone: string[]; kept: string[] }[] }>(
      folder,
      'generated.json',
    );
    const settings: ScrubSettings = {
      storeIpAddresses: true,
      scrubData: true,
      scrubDefaults: true,
      sensitiveFields: [],
      safeFields: [],
    };
    const results = cases.map(({ id, input, gone, kept }) => {
      const text = JSON.stringify(scrubbed(input, settings));
      return { id, passed: gone.every((part) => !text.includes(part)) && kept.every((part) => text.includes(part)) };
    });
    expect(report('scrubbing, generated', results)).toBe(1);
  });
});
