/** Where a query was called, as SDKs and OpenTelemetry tell it. */

export interface CallSite {
  /** With its namespace or class; '' where it is not known. */
  readonly function: string;
  /** '' where it is not known. */
  readonly file: string;
  /** 0 where it is not known. */
  readonly line: number;
}

/** `shop.views.authors`: older conventions have the namespace by itself, newer names of functions are whole. */
export const wholeFunction = (namespace: string, name: string): string =>
  namespace && name && !name.startsWith(namespace) ? `${namespace}.${name}` : name || namespace;

const longest = 500;

/** In one line: function, file and line; '' where nothing is known. */
export function callSiteText(site: CallSite): string {
  const place = site.file && site.line > 0 ? `${site.file}:${site.line}` : site.file;
  return [site.function, place].filter(Boolean).join(', ').slice(0, longest).toWellFormed();
}
