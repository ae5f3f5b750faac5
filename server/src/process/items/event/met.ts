/** Whom events met that a storm kept out, under the names that their own rows would have. */
import type { StandsFor } from '../../../base/stands-for.ts';
import type { Event } from '../../steps/event.ts';
import type { JsonObject } from '../../steps/json.ts';
import { userIdentity } from '../../steps/normalize/user.ts';
import { Remarks } from '../../steps/remarks.ts';
import type { ItemContext } from '../../types.ts';
import { normalize } from './parse.ts';
import { prepareEvent } from './prepare.ts';

const nothing = new Uint8Array();

/** Identities as in the column `user`, each once. `event`: the one that stands for theirs. */
export function metUsers(event: Event, context: ItemContext, { met }: StandsFor): string[] {
  const found = new Set<string>();
  for (const [user, address] of met) {
    const { event_id, platform, sdk } = event;
    const raw: JsonObject = { event_id, platform, sdk: sdk && { ...sdk }, user: parsed(user) };
    const itsContext: ItemContext = { ...context, remoteAddress: address };
    const remarks = new Remarks();
    const other = prepareEvent(normalize(raw, nothing, itsContext, remarks), itsContext, remarks);
    const identity = other.event ? userIdentity(other.event.user) : '';
    if (identity !== '') found.add(identity);
  }
  return [...found];
}

function parsed(user: string): unknown {
  try {
    return user === '' ? undefined : JSON.parse(user);
  } catch {
    return undefined;
  }
}
