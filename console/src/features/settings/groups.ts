/** How the settings are listed. */
import * as m from '../../messages/settings.ts';
import type { PlaceId } from '../places/places.ts';

export const groups: readonly { readonly title: string; readonly ids: readonly PlaceId[] }[] = [
  { title: m.you, ids: ['account', 'notifications', 'tokens'] },
  {
    title: m.organization,
    ids: ['organization', 'members', 'teams', 'signIn', 'security', 'auditLog'],
  },
  { title: m.data, ids: ['quotas', 'retention', 'erase'] },
  { title: m.integrations, ids: ['channels', 'webhooks', 'repositories'] },
];
