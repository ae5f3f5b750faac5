/** Each call about second factors, once, by an owner in an installation of their own. For the test of the audit log. */
import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { type Entry, listEntries } from '../../domains/audit/index.ts';
import { makeRecoveryLink } from '../../domains/accounts/index.ts';
import { createAuthenticator } from '../../domains/accounts/testing/authenticator.ts';
import { type Credentials, signIn } from '../access-testing.ts';
import { endpoints } from '../endpoints.ts';
import { apiPrefix } from '../shared/route-schema.ts';
import { openTestApi, owner } from '../testing.ts';

export interface FactorDeed {
  readonly id: string;
  readonly actions: readonly string[];
  readonly entries: readonly Entry[];
}

export async function factorDeeds(): Promise<FactorDeed[]> {
  // The name under which a passkey is made.
  await using api = await openTestApi({ url: 'http://localhost:7420' });
  const { password } = owner;
  const session = await signIn(api, owner.email, password);
  const done: FactorDeed[] = [];
  let jar = session;

  const does = async <T>(id: string, body: object, params: Readonly<Record<string, string>> = {}): Promise<T> => {
    const definition = endpoints.find((one) => one.id === id);
    if (!definition) throw new Error(`no call ${id}`);
    const after = (await listEntries(api.state, api.organizationId, {}, { limit: 1 })).entries[0]?.seq ?? 0;
    const url = apiPrefix + definition.url.replaceAll(/:(\w+)/g, (_all, name: string) => params[name] ?? '');
    const answer = await api.app.inject({ method: definition.method, url, headers: jar, payload: body });
    expect(answer.statusCode, `${id}: ${answer.body}`).toBeLessThan(300);
    const { entries } = await listEntries(api.state, api.organizationId, {}, { after, limit: 10 });
    done.push({ id, actions: entries.map(({ action }) => action), entries });
    jar = withCookies(session, answer.cookies);
    return (answer.body ? answer.json() : undefined) as T;
  };

  const { secret } = await does<{ secret: string }>('beginTwoFactor', { password });
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const { recoveryCodes } = await does<{ recoveryCodes: string[] }>('confirmTwoFactor', { code: totp.generate() });
  const [first = '', second = ''] = recoveryCodes;
  await does('showFactor', { code: first });
  await does('updateSignInPolicy', { requireSecondFactor: true }, { org: 'acme' });
  await does('updateSignInPolicy', { requireSecondFactor: false }, { org: 'acme' });
  const renewed = await does<{ recoveryCodes: string[] }>('renewRecoveryCodes', { code: second });

  const { challenge } = await does<{ challenge: string }>('beginPasskey', { password });
  const key = createAuthenticator({ origin: 'http://localhost:7420', rpId: 'localhost' });
  const { id } = await does<{ id: string }>('addPasskey', { name: 'A key', response: key.create(challenge) });
  await does('renamePasskey', { name: 'My key' }, { id });
  await does('endTwoFactor', { code: renewed.recoveryCodes[0] ?? '' });
  await does('removePasskey', { password }, { id });
  const again = await does<{ challenge: string }>('beginPasskey', { password });
  const other = createAuthenticator({ origin: 'http://localhost:7420', rpId: 'localhost' });
  await does('addPasskey', { name: 'Another', response: other.create(again.challenge) });
  await does('removePassword', { password });
  const { token } = await api.state.transaction((trx) => makeRecoveryLink(trx, owner.email, Date.now()));
  await does('recoverAccount', { token, password: 'a phrase after the recovery' });
  return done;
}

const withCookies = (session: Credentials, set: readonly { readonly name: string; readonly value: string }[]) => ({
  ...session,
  cookie: [session['cookie'], ...set.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)].join('; '),
});
