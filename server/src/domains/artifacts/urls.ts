/** How the address of a script in an event and the one in a bundle come together. */

/** Longer ones name no file of a build. */
export const maxUrlLength = 2048;

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * What a script may be called in a bundle, the most exact first: its address without query and fragment, and `~` with
 * its path, for `~` stands for any scheme and host. An event may say `https://host/assets/x.js?v=1`, `app:///x.js`,
 * `/srv/x.js` or `C:\app\x.js`.
 */
export function bundleUrlsOf(url: string): string[] {
  if (url === '' || url.length > maxUrlLength) return [];
  const plain = url.replaceAll('\\', '/').split(/[?#]/, 1)[0] ?? '';
  const path = pathOf(plain);
  const found = path === undefined ? [plain] : [plain, `~${path}`];
  // Browsers encode what a build's file names have as it is: `[slug]`, spaces, umlauts.
  return [...new Set([...found, ...found.map(decoded)])].filter((one) => one !== '' && one !== '~/');
}

function pathOf(url: string): string | undefined {
  const [start] = scheme.exec(url) ?? [];
  if (start !== undefined) {
    const slash = url.indexOf('/', start.length);
    return slash === -1 ? undefined : url.slice(slash);
  }
  if (/^[a-z]:\//i.test(url)) return url.slice(2);
  return url.startsWith('/') ? url : undefined;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/**
 * The address that `reference` means in the file at `base`, both as bundles write them; undefined where it is none.
 * `~` is kept, and no `..` leads above it.
 */
export function resolveUrl(reference: string, base: string): string | undefined {
  if (reference === '' || reference.length > maxUrlLength) return undefined;
  if (reference.startsWith('~/') || scheme.test(reference)) return reference;
  const anywhere = base.startsWith('~');
  const host = 'http://any.invalid';
  const absolute = anywhere ? `${host}${base.slice(1)}` : scheme.test(base) ? base : `${host}/${base}`;
  if (!URL.canParse(reference, absolute)) return undefined;
  const { href } = new URL(reference, absolute);
  const plain = decoded(href);
  if (!href.startsWith(`${host}/`)) return plain;
  return anywhere ? `~${plain.slice(host.length)}` : plain.slice(host.length + 1);
}
