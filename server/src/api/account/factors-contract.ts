/** Second factors of the caller: an authenticator app with recovery codes, and passkeys. */
import { z } from 'zod';
import { invalid } from '../../base/texts/validation.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime } from '../shared/schemas.ts';
import { sessionsOnly, typedPassword } from './contract.ts';

const code = z
  .string()
  .trim()
  .min(1, invalid.empty)
  .max(64, invalid.atMost(64))
  .describe('Of the authenticator app, or a recovery code.');
const Code = z.object({ code }).meta({ id: 'FactorCode' });
const limited = 'Wrong codes are limited like sign-in.';
const asksAgain = `Asks for the password; accounts without one need a sign-in of the last 10 minutes. ${sessionsOnly}`;
const Again = z.object({ password: typedPassword.optional() });

const RecoveryCodes = z.array(z.string()).describe('Each works once. Only this response contains them.');

export const TwoFactor = z
  .object({
    isOn: z.boolean(),
    dateEnabled: dateTime().nullable(),
    recoveryCodesLeft: z.int(),
    hasPassword: z.boolean(),
    hasShown: z.boolean().describe('Whether this session has shown a second factor.'),
  })
  .meta({ id: 'TwoFactor' });

export const getTwoFactor = endpoint({
  method: 'GET',
  url: '/account/two-factor/',
  id: 'getTwoFactor',
  tag: 'Account',
  summary: 'Get the state of two-factor authentication',
  description: sessionsOnly,
  access: 'user',
  response: TwoFactor,
});

export const beginTwoFactor = endpoint({
  method: 'POST',
  url: '/account/two-factor/',
  id: 'beginTwoFactor',
  tag: 'Account',
  summary: 'Create a secret for an authenticator app',
  description: `Two-factor authentication is on once a code of it is confirmed. ${asksAgain}`,
  access: 'user',
  body: Again.meta({ id: 'TwoFactorRequest' }),
  status: 201,
  response: z
    .object({ secret: z.string(), address: z.string().describe('What the QR code contains: otpauth://…') })
    .meta({ id: 'TwoFactorSecret' }),
});

export const confirmTwoFactor = endpoint({
  method: 'POST',
  url: '/account/two-factor/confirm/',
  id: 'confirmTwoFactor',
  tag: 'Account',
  summary: 'Turn on two-factor authentication with a first code',
  description: `Signs out your other sessions. ${limited} ${sessionsOnly}`,
  access: 'user',
  body: Code,
  response: z.object({ recoveryCodes: RecoveryCodes, endedSessions: z.int() }).meta({ id: 'TwoFactorConfirmed' }),
});

export const showFactor = endpoint({
  method: 'POST',
  url: '/account/two-factor/verify/',
  id: 'showFactor',
  tag: 'Account',
  summary: 'Verify a code, so that the session counts as one with a second factor',
  description: `${limited} ${sessionsOnly}`,
  access: 'user',
  body: Code,
  status: 204,
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  url: '/account/two-factor/recovery-codes/',
  id: 'renewRecoveryCodes',
  tag: 'Account',
  summary: 'Create new recovery codes; the former ones stop working',
  description: `${limited} ${sessionsOnly}`,
  access: 'user',
  body: Code,
  response: z.object({ recoveryCodes: RecoveryCodes }).meta({ id: 'RecoveryCodes' }),
});

export const endTwoFactor = endpoint({
  method: 'POST',
  url: '/account/two-factor/off/',
  id: 'endTwoFactor',
  tag: 'Account',
  summary: 'Turn off two-factor authentication and sign out other sessions',
  description: `${limited} ${sessionsOnly}`,
  access: 'user',
  body: Code,
  response: z.object({ endedSessions: z.int() }).meta({ id: 'TwoFactorOff' }),
});

const passkeyName = z.string().trim().min(1, invalid.empty).max(100, invalid.atMost(100));
const passkeyParams = z.object({ id: z.string().max(64) });
/** What a browser says and takes: defined by WebAuthn, checked by the library for it. */
const webAuthn = z.looseObject({});

export const Passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    dateCreated: dateTime().nullable(),
    lastUsed: dateTime().nullable(),
    isSynced: z.boolean().describe('Whether it is backed up, for instance by a password manager.'),
  })
  .meta({ id: 'Passkey' });

export const listPasskeys = endpoint({
  method: 'GET',
  url: '/account/passkeys/',
  id: 'listPasskeys',
  tag: 'Account',
  summary: 'List your passkeys, newest first',
  description: sessionsOnly,
  access: 'user',
  response: z
    .object({
      available: z.boolean().describe('Whether browsers create passkeys for the address of this installation.'),
      origin: z.string().describe('The only address where they work: that of CULPRIT_URL.'),
      passkeys: z.array(Passkey),
    })
    .meta({ id: 'Passkeys' }),
});

export const beginPasskey = endpoint({
  method: 'POST',
  url: '/account/passkeys/options/',
  id: 'beginPasskey',
  tag: 'Account',
  summary: 'Get what the browser needs to create a passkey',
  description: `Sets a cookie that belongs to it. ${asksAgain}`,
  access: 'user',
  body: Again.meta({ id: 'PasskeyRequest' }),
  response: webAuthn.meta({ id: 'PasskeyOptions' }),
});

export const addPasskey = endpoint({
  method: 'POST',
  url: '/account/passkeys/',
  id: 'addPasskey',
  tag: 'Account',
  summary: 'Add the passkey that the browser created',
  description: `The session counts as one with a second factor. ${sessionsOnly}`,
  access: 'user',
  body: z.object({ name: passkeyName, response: webAuthn }).meta({ id: 'PasskeyCreated' }),
  status: 201,
  response: z.object({ id: z.string() }).meta({ id: 'PasskeyAdded' }),
});

export const renamePasskey = endpoint({
  method: 'PUT',
  url: '/account/passkeys/:id/',
  id: 'renamePasskey',
  tag: 'Account',
  summary: 'Rename a passkey',
  description: sessionsOnly,
  access: 'user',
  params: passkeyParams,
  body: z.object({ name: passkeyName }).meta({ id: 'PasskeyName' }),
  status: 204,
});

export const removePasskey = endpoint({
  method: 'POST',
  url: '/account/passkeys/:id/delete/',
  id: 'removePasskey',
  tag: 'Account',
  summary: 'Delete a passkey',
  description: `The last way to sign in gets 409 LAST_WAY_IN. ${asksAgain}`,
  access: 'user',
  params: passkeyParams,
  body: Again.meta({ id: 'PasskeyDeletion' }),
  status: 204,
});

export const removePassword = endpoint({
  method: 'POST',
  url: '/account/password/delete/',
  id: 'removePassword',
  tag: 'Account',
  summary: 'Delete your password, to sign in with passkeys only',
  description: `Without a passkey or a provider: 409 LAST_WAY_IN. A link of "Forgot password?" sets a new one. ${asksAgain}`,
  access: 'user',
  body: Again.meta({ id: 'PasswordDeletion' }),
  status: 204,
});
