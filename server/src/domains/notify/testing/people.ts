/** An organisation with members, and things to tell them. For tests. */
import type { State } from '../../../ports/state/state.ts';
import type { Notification } from '../types.ts';

export const organizationId = 'acme';

export async function makePeople({ db }: State, names: readonly string[] = ['ada']): Promise<void> {
  const at = new Date(0).toISOString();
  await db
    .insertInto('organization')
    .values({ id: organizationId, name: 'Acme', slug: 'acme', logo: null, metadata: null, createdAt: at })
    .execute();
  for (const id of names) {
    await db
      .insertInto('user')
      .values({ id, name: id, email: `${id}@example.com`, emailVerified: 1, image: null, createdAt: at, updatedAt: at })
      .execute();
    await db
      .insertInto('member')
      .values({ id: `m-${id}`, organizationId, userId: id, role: 'member', createdAt: at })
      .execute();
  }
}

export const notification = (overrides: Partial<Notification> = {}): Notification => ({
  kind: 'issue_alert',
  severity: 'critical',
  title: 'New issue in Web',
  text: '',
  url: 'http://culprit.test/issues/WEB-1',
  project: { id: 1, slug: 'web', name: 'Web' },
  issue: {
    id: 1,
    shortId: 'WEB-1',
    title: "TypeError: Cannot read properties of null (reading 'price')",
    culprit: 'app/product/page.tsx in getPrice',
    level: 'error',
    count: 12,
    userCount: 3,
    release: 'shop@1.0.0',
    environment: 'production',
  },
  fields: [],
  groupKey: 'issue:1',
  ...overrides,
});
