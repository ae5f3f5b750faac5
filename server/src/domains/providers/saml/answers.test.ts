/** An assertion counts once, on whichever node and database. */
import { beforeEach, expect, test } from 'vitest';
import { textBox } from '../../../base/secrets/index.ts';
import { testSecrets } from '../../../base/secrets/testing.ts';
import type { State } from '../../../ports/state/state.ts';
import { onEachDatabase } from '../../../ports/state/testing/databases.ts';
import { createOrganization, insertUser } from '../../accounts/index.ts';
import { createProvider, type NewProvider } from '../providers.ts';
import { type Answer, keepAnswer, takeAnswer } from './answers.ts';
import { makeSigningKey } from './testing/made-response.ts';

const box = textBox(testSecrets.box('stored secret'));
const now = Date.parse('2026-11-26T08:00:00Z');
const minute = 60_000;
const { certificate } = makeSigningKey();

onEachDatabase('assertions', (databases) => {
  let state: State;
  let providerId: string;
  let otherId: string;
  beforeEach(async () => {
    state = await databases.migrated();
    await state.transaction((trx) => insertUser(trx, { email: 'owner@acme.test', passwordHash: 'x' }));
    const { id } = await createOrganization(state, { name: 'Acme', owner: 'owner@acme.test' });
    const input: NewProvider = {
      kind: 'saml',
      name: 'SAML',
      domains: [],
      enabled: true,
      joins: true,
      defaultRole: 'member',
      mapping: [],
      settings: { entityId: 'https://idp.test', ssoUrl: 'https://idp.test/sso', certificates: certificate },
    };
    const make = () => createProvider({ state, box }, id, input, { now, vouched: true });
    [providerId, otherId] = [await make(), await make()];
  });

  const answer = (more: Partial<Answer> = {}): Answer => ({
    providerId,
    state: 'the state',
    assertionId: '_the-assertion',
    until: now + 10 * minute,
    asserted: {
      subject: 'kim',
      email: 'kim@acme.test',
      emailVerified: true,
      name: undefined,
      groups: ['ops'],
      secondFactor: false,
    },
    ...more,
  });
  const keep = (more: Partial<Answer> = {}, at = now): Promise<string> => keepAnswer({ state, box }, answer(more), at);
  const take = (ticket: string, more: object = {}, at = now) =>
    takeAnswer({ state, box }, { providerId, state: 'the state', ticket, ...more }, at);

  test('one of several at once is the first', async () => {
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => keep()));
    const kept = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(kept).toHaveLength(1);
    for (const one of all) if (one.status === 'rejected') expect(one.reason).toMatchObject({ reason: 'replayed' });
    const [ticket = ''] = kept;
    const taken = await Promise.all(Array.from({ length: 4 }, () => take(ticket)));
    expect(taken.filter(Boolean)).toEqual([answer().asserted]);
    await expect(keep()).rejects.toMatchObject({ reason: 'replayed' });
  });

  test('IDs are those of one provider, and are forgotten when they are of no more use', async () => {
    await keep();
    await keep({ providerId: otherId });
    await keep({ assertionId: '_2' });
    await expect(keep({}, now + 10 * minute - 1)).rejects.toMatchObject({ reason: 'replayed' });
    await keep({ until: now + 30 * minute }, now + 10 * minute);
    expect(await state.db.selectFrom('saml_answer').select('assertion_hash').execute()).toHaveLength(1);
  });

  test('a ticket belongs to its provider and sign-in, and to the next two minutes', async () => {
    expect(await take(await keep({ assertionId: '_a' }), { providerId: otherId })).toBeUndefined();
    expect(await take(await keep({ assertionId: '_b' }), { state: 'another' })).toBeUndefined();
    expect(await take(await keep({ assertionId: '_c' }), {}, now + 2 * minute)).toBeUndefined();
    expect(await take('made up')).toBeUndefined();
    expect(await take(await keep({ assertionId: '_d' }), {}, now + 2 * minute - 1)).toEqual(answer().asserted);
  });

  test('nobody reads in the database who it was', async () => {
    await keep();
    const rows = JSON.stringify(await state.db.selectFrom('saml_answer').selectAll().execute());
    for (const word of ['kim', 'ops', '_the-assertion', 'the state']) expect(rows).not.toContain(word);
  });
});
