/**
 * What is the recording's own goes out of an example: its time, ids drawn by chance, tokens, the address and the paths of
 * the machine. The same stands for the same everywhere, so that a link still leads where it did.
 */
import { createHash } from 'node:crypto';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** When examples happen. */
const base = Date.parse('2026-03-02T12:00:00Z');
const minuteMs = 60_000;
const dayMs = 86_400_000;

const isoTime = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?/g;
const drawn = /(?<![\w-])(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9]{32})(?![\w-])/g;
/** With what tokens of the API begin. */
const token = /\b(sntry[a-z]*_|culprit_[a-z]*_?|scim_)[\w.+/=-]{12,}/g;
/** Fields that hold a secret, or a link with one in it. */
const secretKey = /^(?:token|secret|secretText|uri|url|link|inviteLink|recoveryCodes|codes|challenge)$/i;
const long = /(?<=^|[/=:])[\w-]{20,}(?=$|[/&?])/g;

export interface Stable {
  (value: Json): Json;
}

export function createStable({
  startedAt,
  replaced,
  kept,
}: {
  /** Milliseconds. */
  readonly startedAt: number;
  /** Texts of this machine and what is said instead. */
  readonly replaced: readonly (readonly [text: string, instead: string])[];
  /** Ids that are not drawn by chance. */
  readonly kept: ReadonlySet<string>;
}): Stable {
  const names = new Map<string, string>();
  /** To the minute: what takes seconds takes others the next time. */
  const moved = (ms: number): number => base + Math.round((ms - startedAt) / minuteMs) * minuteMs;
  const isOfRecording = (ms: number): boolean => ms > startedAt - 100 * dayMs && ms < startedAt + 400 * dayMs;

  const idFor = (found: string): string => {
    if (kept.has(found) || /^0+$/.test(found)) return found;
    const known = names.get(found);
    if (known !== undefined) return known;
    const hex = createHash('md5').update(`example ${names.size}`).digest('hex');
    const id = found.includes('-') ? hex.replace(/^(.{8})(.{3}).(.{3}).(.{3}).(.{12}).*$/, '$1-4$2-4$3-8$4-$5') : hex;
    const whole = found.includes('-') ? `${id.slice(0, 36)}`.padEnd(36, '0') : id;
    names.set(found, whole);
    return whole;
  };

  function text(value: string, key: string): string {
    let said = value;
    for (const [own, instead] of replaced) said = said.replaceAll(own, instead);
    said = said.replaceAll(token, (_, prefix: string) => `${prefix}example`);
    if (secretKey.test(key) && !/^https?:\/\/[^?]*example\.com/.test(said)) said = said.replaceAll(long, 'example');
    if (/^(?:recoveryCodes|codes)$/.test(key)) return 'example-code';
    said = said.replaceAll(isoTime, (whole, date: string, time: string, zone: string | undefined) => {
      const ms = Date.parse(`${date}T${time}${zone ?? 'Z'}`);
      if (!isOfRecording(ms)) return whole;
      const iso = new Date(moved(ms)).toISOString();
      const fraction = /\.(\d+)/.exec(time)?.[1]?.length ?? 0;
      const seconds =
        fraction > 3 ? iso.replace('Z', '0'.repeat(fraction - 3)) : fraction ? iso.slice(0, -1) : iso.slice(0, 19);
      return seconds.replace('T', whole.includes('T') ? 'T' : ' ') + (zone ?? '');
    });
    return said.replaceAll(drawn, idFor);
  }

  function number(value: number): number {
    if (isOfRecording(value)) return moved(value);
    if (isOfRecording(value * 1000)) return moved(value * 1000) / 1000;
    return value;
  }

  const stable = (value: Json, key = ''): Json => {
    if (typeof value === 'string') return text(value, key);
    if (typeof value === 'number') return number(value);
    if (Array.isArray(value)) return (value as readonly Json[]).map((one) => stable(one, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [text(name, ''), stable(one, name)]));
  };
  return (value) => stable(value);
}
