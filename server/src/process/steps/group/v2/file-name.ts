/**
 * File names and modules of JavaScript without the parts that change from build to build, whatever made them: webpack,
 * Vite and Rollup, Turbopack, Parcel, esbuild, Rspack, SvelteKit, Angular, Bun, Metro.
 */
import type { StableName } from '../algorithm.ts';

const extension =
  /(?:\.(?:chunk|bundle|min|module|modern|legacy|nomodule|async|esm|umd|cjs|prod|production|client|server|mjs))*\.[a-z]{1,8}$/i;
const endings = /(?:\.(?:chunk|bundle|min))+$/i;
const hex = /^[\da-f]{8,64}$/i;
const wordAndNumber = /^[a-zA-Z]+\d{1,4}$/;
const alphabet = /^[\w-]{6,64}$/;

const shortWord =
  /^(?:css|scss|html?|https?|xml|svg|sql|pdf|ssr|sms|rtl|ltr|btn|msg|src|str|ctx|db|ts|js|tsx|jsx|sdk|npm|dns|gps|csv|txt|mdx?|grpc|mfs?|vd|bg|fn|pwa?|ws|cms|crm|ml)$/i;

/** Whether it can be spoken, or is one of the words of the trade that cannot. */
function isSpoken(text: string): boolean {
  return (/[aeiouy]/i.test(text) && !/[bcdfghjklmnpqrstvwxz]{5}/i.test(text)) || shortWord.test(text);
}

/** `checkout`, `orderList`, `MyComponent`: capitals stand apart and are few, and what they begin can be spoken. */
function isWord(text: string): boolean {
  if (!/^[a-zA-Z]+$/.test(text)) return false;
  const capitals = text.length - text.replace(/[A-Z]/g, '').length;
  if (capitals === text.length || capitals === 0) return isSpoken(text);
  if (capitals > text.length / 3 || /[A-Z]{2}|[A-Z]$/.test(text)) return false;
  return text.split(/(?=[A-Z])/).every((part) => part.length === 1 || isSpoken(part));
}

function isHash(text: string): boolean {
  if (hex.test(text)) return true;
  // esbuild writes eight characters of base 32.
  if (/^[A-Z2-7]{8}$/.test(text)) return true;
  if (!alphabet.test(text) || isWord(text) || /^\d+$/.test(text)) return false;
  if (wordAndNumber.test(text) && isWord(text.replace(/\d/g, ''))) return false;
  const lower = /[a-z]/.test(text);
  if (/\d/.test(text)) return true;
  // Letters alone: capitals among them in the lengths that bundlers write or everywhere, or nobody could speak it.
  if (!lower) return false;
  if (!/[A-Z]/.test(text)) return text.length <= 12 && /[bcdfghjklmnpqrstvwxz]{6}/.test(text);
  const changes = (text.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g) ?? []).length;
  return text.length === 8 || text.length >= 16 || changes * 2 >= text.length - 1;
}

/** Where a long hash begins that has dashes and underscores in it; 0 for none. */
function longHashAt(stem: string): number {
  for (const { index } of stem.matchAll(/[-._~]/g)) {
    const tail = stem.slice(index + 1);
    if (tail.length < 16) return 0;
    const mixed = /\d/.test(tail) && /[a-z]/.test(tail) && /[A-Z]/.test(tail);
    if (mixed && /^[\w-]{16,40}$/.test(tail) && !/[a-z]{5}|[A-Z]{6}|[-_]{3}/.test(tail)) return index;
  }
  return 0;
}

/** A hash beyond doubt, for names that have nothing else: capitals, small letters and digits among each other. */
function isBareHash(text: string): boolean {
  if (hex.test(text)) return true;
  const letters = text.replace(/[\d_-]/g, '');
  if (wordAndNumber.test(text) && isWord(letters)) return false;
  // Nuxt's have seven digits.
  if (/^[\da-f]{7}$/.test(text) && /\d/.test(text) && /[a-f]/.test(text)) return true;
  if (isTurbopackHash(text)) return true;
  if (!/^(?:[\w-]{8}|[a-zA-Z\d]{16,64})$/.test(text)) return false;
  const mixed = /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
  return mixed && (/\d[a-zA-Z_-]|[A-Z]{2}/.test(text) || !isWord(letters));
}

/** Thirteen characters, small letters and digits that take turns, with marks between them but no name. */
function isTurbopackHash(text: string): boolean {
  if (!/^[a-z\d_~.-]{13}$/.test(text) || text.split(/[_~.-]/).some((part) => /^[a-z]{2,}$/.test(part))) return false;
  return (text.match(/[a-z](?=\d)|\d(?=[a-z])/g) ?? []).length >= 4;
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
  const long = longHashAt(trimmed);
  if (long > 0) return trimmed.slice(0, long);
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
  const tail = endings.exec(last)?.[0] ?? '';
  const stem = tail === '' ? last : last.slice(0, -tail.length);
  const stripped = stem.length < 7 || last.length > maxName ? stem : stripHash(stem);
  return stripped === stem
    ? { name: module, hashed: false }
    : { name: module.slice(0, start) + stripped + tail, hashed: true };
});

/** Files that only bundlers and minifiers write. */
export function isBundle(path: string): boolean {
  return /\.(?:bundle|jsbundle|hbc)(?=$|[?#:])|\.min\.[cm]?js(?=$|[?#])|\.[cm]?js\?|[\\/]_next[\\/]static[\\/]/i.test(
    path,
  );
}
