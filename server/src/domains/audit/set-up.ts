/** The first entry of an installation. */
import type { Deed } from './audit.ts';
import type { Draft } from './entry.ts';

interface SetUp {
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly organization: { readonly id: string; readonly slug: string };
}

/** By whoever becomes the owner, or by who ran the command on the host. */
export const setUpEntry = (
  { user, organization }: SetUp,
  { actor, source }: Pick<Deed, 'actor' | 'source'>,
): Draft => ({
  organizationId: organization.id,
  action: 'installation.set_up',
  actor: actor.type === 'visitor' ? { type: 'user', id: user.id, email: user.email, name: user.name } : actor,
  source,
  target: { id: organization.id, name: organization.slug },
  details: { owner: user.email },
});
