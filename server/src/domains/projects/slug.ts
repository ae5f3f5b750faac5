const longestSlug = 50;
const longestPrefix = 20;

// Never digits alone: addresses take a slug or an id, and must tell them apart.
const slugForm = /^(?!\d+$)[a-z0-9][a-z0-9_-]*$/;

export const isSlug = (text: string): boolean => text.length <= longestSlug && slugForm.test(text);

/** Makes a slug of a name: `Web Shop (Zürich)` → `web-shop-zurich`. `fallback` stands for a name without Latin letters. */
export function slugFrom(name: string, fallback: string): string {
  const slug = name
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug)
    .replace(/^-|-$/g, '');
  if (slug === '') return fallback;
  return isSlug(slug) ? slug : `${fallback}-${slug}`.slice(0, longestSlug);
}

/** What stands before the number in short ids: `web-shop` → `WEB-SHOP`. Cut between words when it is long. */
export function shortIdPrefixFrom(slug: string): string {
  const words = slug.toUpperCase().split(/[-_]+/).filter(Boolean);
  let prefix = (words[0] ?? '').slice(0, longestPrefix);
  for (const word of words.slice(1)) {
    if (prefix.length + 1 + word.length > longestPrefix) break;
    prefix += `-${word}`;
  }
  return prefix;
}

/** The first of `name`, `name-2`, `name-3`, … that is not taken. */
export function firstFree(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) {
    const suffix = `-${number}`;
    const candidate = name.slice(0, longestSlug - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}
