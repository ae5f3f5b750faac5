/** Addresses that are shown as links: of web pages, and of nothing that a browser would run. */

export const isWebAddress = (text: string): boolean => /^https?:\/\/[^/\s]/i.test(text) && URL.canParse(text);

/** What was stored before addresses were checked, and what events say, is a link only where it leads to a page. */
export const webLink = (text: string): string | null => (isWebAddress(text) ? text : null);

const scripts: ReadonlySet<string> = new Set(['javascript:', 'data:', 'vbscript:']);

/** A page of any application, `app://` among them; null for what would run. */
export const pageAddress = (text: string): string | null =>
  text === '' || (URL.canParse(text) && scripts.has(new URL(text).protocol)) ? null : text;
