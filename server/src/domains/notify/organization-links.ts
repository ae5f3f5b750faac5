/** Short ids of issues are those of an organisation, so a link says which one it leads into, where there are several. */
import type { State } from '../../ports/state/state.ts';
import type { Notification } from './types.ts';

export type Link = (url: string) => string;

/** For addresses of the console; what is outside it, or is no page of an organisation, stays as it is. Pure. */
export function linkInto(consoleUrl: string, slug: string): Link {
  const pages = `${consoleUrl}/`;
  return (url) => {
    if (!url.startsWith(pages)) return url;
    const [address = '', fragment] = url.split('#', 2);
    const named = `${address}${address.includes('?') ? '&' : '?'}org=${encodeURIComponent(slug)}`;
    return fragment === undefined ? named : `${named}#${fragment}`;
  };
}

/** Undefined in an installation with a single one. */
export async function linkIntoOrganization(
  { db }: State,
  consoleUrl: string,
  organizationId: string,
): Promise<Link | undefined> {
  const rows = await db.selectFrom('organization').select(['id', 'slug']).execute();
  const slug = rows.find(({ id }) => id === organizationId)?.slug;
  return rows.length > 1 && slug !== undefined ? linkInto(consoleUrl, slug) : undefined;
}

/** Links that only one person may use, to an account or an organisation they are not in yet, are whole already. */
export function withLinks(notification: Notification, link: Link | undefined): Notification {
  const { kind, url, rule, sections } = notification;
  if (!link || kind === 'invitation' || kind === 'account') return notification;
  return {
    ...notification,
    url: link(url),
    rule: rule && { ...rule, url: link(rule.url) },
    sections: sections?.map(({ heading, lines }) => ({
      heading,
      lines: lines.map((line) => ({ ...line, url: link(line.url) })),
    })),
  };
}
