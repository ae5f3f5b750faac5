/** Addresses of files that browsers load, without what a build or a visit puts into them. */
import { splitOrigin, withoutId } from '../path-ids.ts';

const longestName = 512;

/** `https://shop.example.com/assets/index-B8fmGyRO.js?v=2` → `shop.example.com/assets/index-*.js`. */
export function resourceWithoutHashes(address: string, host: string): string {
  if (address.startsWith('data:')) return /^data:[\w/+.-]{0,60}/.exec(address)?.[0] ?? 'data:';
  const bare = address.split(/[?#]/, 1)[0] ?? '';
  const { origin, path } = splitOrigin(bare);
  const parts = path
    .split('/')
    .map((part, index, all) => (index === all.length - 1 ? fileWithoutHash(part) : withoutId(part)));
  return `${hostOf(origin) || host}${parts.join('/')}`;
}

export function hostOf(origin: string): string {
  const scheme = origin.indexOf('://');
  const host = scheme < 0 ? origin : origin.slice(scheme + 3);
  return host.slice(host.lastIndexOf('@') + 1).toLowerCase();
}

/** `index-B8fmGyRO.js`, `main.3f2a9c1b.chunk.css`: the hash stands between marks, or takes the whole name. */
export function fileWithoutHash(name: string): string {
  if (name === '' || name.length > longestName) return name;
  const dot = name.indexOf('.', 1);
  const stem = dot < 0 ? name : name.slice(0, dot);
  const rest = dot < 0 ? '' : name.slice(dot);
  return (
    withoutTail(stem) +
    rest
      .split('.')
      .map((part) => (isHash(part) ? '*' : part))
      .join('.')
  );
}

function withoutTail(stem: string): string {
  const whole = withoutId(stem);
  if (whole !== stem) return whole;
  if (!/[-_]/.test(stem) && isHash(stem)) return '*';
  // Vite's hashes have eight characters, among them the very marks that separate words.
  const mark = stem.length > 9 ? stem[stem.length - 9] : undefined;
  if ((mark === '-' || mark === '_') && isHash(stem.slice(-8))) return `${stem.slice(0, -8)}*`;
  const last = Math.max(stem.lastIndexOf('-'), stem.lastIndexOf('_'));
  return last > 0 && isHash(stem.slice(last + 1)) ? `${stem.slice(0, last + 1)}*` : stem;
}

/** At least eight characters that no word has: a digit among letters of hex, digits alone, or capitals after small letters. */
function isHash(text: string): boolean {
  if (text.length < 8 || text.length > 64 || !/^[\w-]+$/.test(text)) return false;
  if (/^[\da-f]+$/i.test(text)) return /\d/.test(text);
  return /[a-z]/.test(text) && /[A-Z\d]/.test(text.slice(1)) && (/\d/.test(text) || /[a-z][A-Z]/.test(text.slice(1)));
}
