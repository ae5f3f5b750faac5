/** What a delivery has told, to be told again in another state. */
import type { State } from '../../ports/state/state.ts';
import { gather } from './digest.ts';
import { linkIntoOrganization, withLinks } from './organization-links.ts';
import type { Notification } from './types.ts';

export interface ToldPlace {
  readonly organizationId: string;
  /** Of the console, without a trailing slash. */
  readonly consoleUrl: string;
}

/** With its links, and with all that was told together; undefined once the log has forgotten it. */
export async function toldBy(
  state: State,
  { organizationId, consoleUrl }: ToldPlace,
  deliveryKey: string,
): Promise<Notification | undefined> {
  const row = await state.db
    .selectFrom('delivery')
    .select(['id', 'notification'])
    .where('organization_id', '=', organizationId)
    .where('key', '=', deliveryKey)
    .executeTakeFirst();
  if (!row) return undefined;
  const merged = await state.db
    .selectFrom('delivery')
    .select('notification')
    .where('merged_into', '=', row.id)
    .orderBy('id')
    .limit(500)
    .execute();
  const read = (one: { readonly notification: string }): Notification => JSON.parse(one.notification) as Notification;
  return linkedIn(state, { organizationId, consoleUrl }, gather([read(row), ...merged.map(read)], { consoleUrl }));
}

/** With links that say which organisation they lead into, where there are several. */
export async function linkedIn(
  state: State,
  { organizationId, consoleUrl }: ToldPlace,
  notification: Notification,
): Promise<Notification> {
  return withLinks(notification, await linkIntoOrganization(state, consoleUrl, organizationId));
}
