/**
 * File names and modules of JavaScript without the parts that change from build to build, whatever made them: webpack,
 * Vite and Rollup, Turbopack, Parcel, esbuild, Rspack, SvelteKit, Angular, Bun, Metro.
 */
import type { StableName } from '../algorithm.ts';

const extension =
  /(?:\.(?:chunk|bundle|min|module|modern|legacy|nomodule|async|esm|umd|cjs|prod|production|client|server|mjs))*\.[a-z]{1,8}$/i;
const hex = /^[\da-f]{8,64}$/i;
const wordAndNumber = /^[a-zA-Z]+\d{1,4}$/;
const alphabet = /^[\w-]{6,64}$/;

/** `checkout`, `orderList`, `MyComponent`: capitals stand apart and are few, and it can be spoken. */
function isWord(text: string): boolean {
  if (!/^[a-zA-Z]+$/.test(text) || /[bcdfghjklmnpqrstvwxz]{6}/i.test(text)) return false;
  const capitals = text.length - text.replace(/[A-Z]/g, '').length;
  return capitals === text.length || (capitals <= text.length / 3 && !/[A-Z]{2}|[A-Z]$/.test(text));
}

function isHash(text: string): boolean {
  if (hex.test(text)) return true;
  // esbuild writes eight characters of base 32.
  if (/^[A-Z2-7]{8}$/.test(text)) return true;
  if (!alphabet.test(text) || isWord(text) || wordAndNumber.test(text) || /^\d+$/.test(text)) return false;
  const lower = /[a-z]/.test(text);
  if (/\d/.test(text)) return true;
  // Letters alone: capitals among them in the lengths that bundlers write, or nobody could speak it.
  const mixed = lower && /[A-Z]/.test(text);
  return mixed
    ? text.length === 8 || text.length >= 16
    : lower && text.length <= 12 && /[bcdfghjklmnpqrstvwxz]{6}/.test(text);
}

/** A hash beyond doubt, for names that have nothing else: capitals, small letters and digits among each other. */
function isBareHash(text: string): boolean {
  if (hex.test(text)) return true;
  if (!/^(?:[\w-]{8}|[a-zA-Z\d]{16,64})$/.test(text) || wordAndNumber.test(text)) return false;
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text) && /\d[a-zA-Z_-]|[A-Z]{2}/.test(text);
}

/** Of eight characters from Rollup's alphabet that holds dashes and underscores, where no part is a word. */
function isRollupHash(eight: string): boolean {
  if (!isHash(eight)) return false;
  const parts = eight.split(/[-_]/);
  return parts.length < 3 || (/[A-Z]/.test(eight) && /[a-z]/.test(eight) && parts.every((part) => part.length <= 4));
}

/** Turbopack puts hashes before and behind names: `7b1ea_react-dom_1d5e3f._`, `[root]__0d4ras0-ws4p_._`. */
function stripTurbopack(stem: string): string {
  const bare = stem.replace(/\._$/, '');
  const long = /^(.*[^_])__([a-z\d_~-]{10,16})$/.exec(bare);
  const named = long?.[1] && /\d/.test(long[2] ?? '') ? long[1] : bare;
  if (bare === stem) return named;
  const tail = /_([\da-f]{5,8})$/.exec(named);
  const withoutTail = tail && /\d/.test(tail[1] ?? '') ? named.slice(0, tail.index) : named;
  const head = /^([\da-f]{5,8})_/.exec(withoutTail);
  return head && /\d/.test(head[1] ?? '') ? withoutTail.slice(head[0].length) : withoutTail;
}

/** Cuts content hashes off a stem; '' when nothing else was there. */
function stripHash(stem: string): string {
  const trimmed = stripTurbopack(stem);
  if (isBareHash(trimmed)) return '';
  const eight = trimmed.length > 9 && /[-._~]/.test(trimmed.at(-9) ?? '') ? trimmed.slice(-8) : '';
  if (eight !== '' && isRollupHash(eight)) return trimmed.slice(0, -9);
  const cut = Math.max(
    trimmed.lastIndexOf('-'),
    trimmed.lastIndexOf('.'),
    trimmed.lastIndexOf('_'),
    trimmed.lastIndexOf('~'),
  );
  if (cut > 0 && isHash(trimmed.slice(cut + 1))) return trimmed.slice(0, cut);
  // `4185d9aa.checkout`: the hash may stand in front.
  const first = /^([\da-f]{8,64})[-._~](?=.)/i.exec(trimmed);
  return first ? trimmed.slice(first[0].length) : trimmed;
}

/** Names repeat from frame to frame and from event to event. */
function remember(work: (text: string) => StableName): (text: string) => StableName {
  const known = new Map<string, StableName>();
  return (text) => {
    let stable = known.get(text);
    if (stable === undefined) {
      stable = work(text);
      if (known.size >= 5000) known.clear();
      known.set(text, stable);
    }
    return stable;
  };
}

const maxName = 300;

export const stableFileName = remember((base) => {
  if (base.length > maxName) return { name: base.slice(0, maxName).toWellFormed().toLowerCase(), hashed: false };
  const tail = extension.exec(base)?.[0] ?? '';
  const stem = tail === '' ? base : base.slice(0, -tail.length);
  const stripped = stripHash(stem);
  if (stripped === stem) return { name: base.toLowerCase(), hashed: false };
  return { name: stripped === '' ? '' : `${stripped}${tail}`.toLowerCase(), hashed: true };
});

export const stableModule = remember((module) => {
  const start = Math.max(module.lastIndexOf('/'), module.lastIndexOf(':')) + 1;
  const last = module.slice(start);
  const stripped = last.length < 8 || last.length > maxName ? last : stripHash(last);
  return stripped === last
    ? { name: module, hashed: false }
    : { name: module.slice(0, start) + stripped, hashed: true };
});

/** Files that only bundlers and minifiers write. */
export function isBundle(path: string): boolean {
  return /\.(?:bundle|jsbundle|hbc)(?=$|[?#:])|\.min\.[cm]?js(?=$|[?#])|[\\/]_next[\\/]static[\\/]/i.test(path);
}
