/** File names and modules of JavaScript without the parts that change from build to build. */
import type { StableName } from '../algorithm.ts';

const extension = /(?:\.(?:chunk|bundle|min|module|modern|legacy|async|esm|umd|cjs|prod|production))*\.[a-z]{1,5}$/i;
const hex = /^[\da-f]{8,64}$/i;
const wordAndNumber = /^[a-zA-Z]+\d{1,4}$/;
const alphabet = /^[\w-]{6,40}$/;

/** `checkout`, `orderList`, `MyComponent`: capitals stand apart and are few. */
function isWord(text: string): boolean {
  if (!/^[a-zA-Z]+$/.test(text)) return false;
  const capitals = text.length - text.replace(/[A-Z]/g, '').length;
  return capitals === text.length || (capitals <= text.length / 3 && !/[A-Z]{2}|[A-Z]$/.test(text));
}

function isHash(text: string): boolean {
  if (hex.test(text)) return true;
  if (!alphabet.test(text) || isWord(text) || wordAndNumber.test(text)) return false;
  if (/^\d+$/.test(text)) return false;
  const mixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
  return mixed || (/\d/.test(text) && /[a-z]/i.test(text));
}

/**
 * Cuts a content hash off a stem: `checkout-0123456789abcdef`, `2.4185d9aa`, `index-FdK_ReT8`, `[root]__0d4ras0-ws4p_._`.
 * '' when nothing else was there.
 */
function stripHash(stem: string): string {
  const trimmed = stem.replace(/\._$/, '');
  if (hex.test(trimmed)) return '';
  // Turbopack: two underscores, then a hash that may itself hold dashes and underscores.
  const turbo = /^(.*[^_])__([a-z\d_~.-]{10,16})$/.exec(trimmed);
  if (turbo?.[1] && /\d/.test(turbo[2] ?? '') && !/[.]/.test(turbo[2] ?? '')) return turbo[1];
  // Rollup's hashes have eight characters, and dashes and underscores are among them.
  const eight = trimmed.length > 9 && /[-._~]/.test(trimmed.at(-9) ?? '') ? trimmed.slice(-8) : '';
  if (eight !== '' && isHash(eight) && !/[-_].*[-_]/.test(eight)) return trimmed.slice(0, -9);
  const cut = Math.max(
    trimmed.lastIndexOf('-'),
    trimmed.lastIndexOf('.'),
    trimmed.lastIndexOf('_'),
    trimmed.lastIndexOf('~'),
  );
  if (cut > 0 && isHash(trimmed.slice(cut + 1))) return trimmed.slice(0, cut);
  return trimmed;
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

/** Base name in lower case without its content hash; '' when it was nothing but a hash. */
export const stableFileName = remember((base) => {
  const tail = extension.exec(base)?.[0] ?? '';
  const stem = tail === '' ? base : base.slice(0, -tail.length);
  const stripped = stripHash(stem);
  if (stripped === stem) return { name: base.toLowerCase(), hashed: false };
  return { name: stripped === '' ? '' : `${stripped}${tail}`.toLowerCase(), hashed: true };
});

/** The module with the hash of its last part cut off. */
export const stableModule = remember((module) => {
  const start = Math.max(module.lastIndexOf('/'), module.lastIndexOf(':')) + 1;
  const last = module.slice(start);
  const stripped = last.length < 8 ? last : stripHash(last);
  return stripped === last
    ? { name: module, hashed: false }
    : { name: module.slice(0, start) + stripped, hashed: true };
});
