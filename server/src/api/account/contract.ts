/** The caller's own account: profile, password, sessions, deletion; and the way back after a forgotten password. */
import { z } from 'zod';
import { stackOrders, themes } from '../../domains/accounts/index.ts';
import { timeZone } from '../channels/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

/** Passwords as they are typed; new ones are checked further. */
export const typedPassword = z.string().min(1, invalid.empty).max(128, invalid.atMost(128));
const newPassword = z.string().min(8, invalid.atLeast(8)).max(128, invalid.atMost(128));
const email = z.string().trim().max(254).pipe(z.email(invalid.email));
const linkToken = z.string().max(200).describe('The part of the link after #.');
export const sessionsOnly = 'For sessions; API tokens get 403 SESSION_REQUIRED.';

const preferences = {
  timeZone: timeZone.nullable().describe('IANA time zone name; null: that of the browser.'),
  theme: z.enum(themes).nullable().describe('null: as chosen in each browser.'),
  stackOrder: z
    .enum(stackOrders)
    .nullable()
    .describe('Call of a stack trace that is first; null: as its language prints it.'),
};
export const Preferences = z.object(preferences).meta({ id: 'Preferences' });

export const SessionPolicy = z
  .object({
    lifetimeHours: z.int().min(1).max(8_760).nullable().describe('Hours from signing in; null: no limit.'),
    idleHours: z.int().min(1).max(720).nullable().describe('Hours from the last use; null: 30 days.'),
  })
  .meta({ id: 'SessionPolicy' });

export const Account = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    pendingEmail: z.string().nullable().describe('New address that is not confirmed yet.'),
    dateCreated: dateTime(),
    preferences: Preferences,
    sessionPolicy: SessionPolicy.describe('The shortest limits of your organisations.'),
    tokenCount: z.int().describe('Your API tokens and build tokens; a deleted account ends them.'),
    hasPassword: z.boolean().describe('Whether the account signs in with a password.'),
    canMail: z.boolean().describe('Whether this installation can send mail.'),
  })
  .meta({ id: 'Account' });

export const getAccount = endpoint({
  method: 'GET',
  url: '/account/',
  id: 'getAccount',
  tag: 'Account',
  summary: 'Get your account',
  description: sessionsOnly,
  access: 'user',
  response: Account,
});

export const updateAccount = endpoint({
  method: 'PUT',
  url: '/account/',
  id: 'updateAccount',
  tag: 'Account',
  summary: 'Change your name and preferences; omitted fields stay',
  description: sessionsOnly,
  access: 'user',
  body: z
    .object({ name: z.string().trim().min(1, invalid.empty).max(100, invalid.atMost(100)), ...preferences })
    .partial()
    .meta({ id: 'AccountUpdate' }),
  response: Account,
});

export const changePassword = endpoint({
  method: 'POST',
  url: '/account/password/',
  id: 'changePassword',
  tag: 'Account',
  summary: 'Change your password and sign out other sessions',
  description: `Your API tokens stay. Wrong passwords are limited like sign-in. ${sessionsOnly}`,
  access: 'user',
  body: z.object({ currentPassword: typedPassword.optional(), newPassword }).meta({ id: 'PasswordChange' }),
  response: z
    .object({ endedSessions: z.int(), tokenCount: z.int().describe('API tokens and build tokens that still work.') })
    .meta({ id: 'PasswordChanged' }),
});

export const requestEmail = endpoint({
  method: 'POST',
  url: '/account/email/',
  id: 'requestEmail',
  tag: 'Account',
  summary: 'Request a new email address',
  description: `Sends a link to the new address. It works once, for 30 minutes. ${sessionsOnly}`,
  access: 'user',
  body: z.object({ email, password: typedPassword.optional() }).meta({ id: 'EmailRequest' }),
  status: 202,
  response: Account,
});

export const cancelEmail = endpoint({
  method: 'DELETE',
  url: '/account/email/',
  id: 'cancelEmail',
  tag: 'Account',
  summary: 'Cancel the new email address; its link stops working',
  description: sessionsOnly,
  access: 'user',
  status: 204,
});

export const confirmEmail = endpoint({
  method: 'POST',
  url: '/email-confirmation/',
  id: 'confirmEmail',
  tag: 'Account',
  summary: 'Confirm a new email address by its link',
  description: 'The former address is notified.',
  access: 'public',
  body: z.object({ token: linkToken }).meta({ id: 'EmailConfirmation' }),
  response: z.object({ email: z.string() }).meta({ id: 'EmailConfirmed' }),
});

const Session = z
  .object({
    id: z.string(),
    device: z.string().describe('Browser and operating system; empty if unknown.'),
    address: z.string().describe('IP address at sign-in; empty if unknown.'),
    dateCreated: dateTime(),
    lastUsed: dateTime('Accurate to a minute.'),
    isCurrent: z.boolean().describe('Whether this request came with it.'),
  })
  .meta({ id: 'Session' });

export const listSessions = endpoint({
  method: 'GET',
  url: '/account/sessions/',
  id: 'listAccountSessions',
  tag: 'Account',
  summary: 'List your sessions, last used first',
  description: sessionsOnly,
  access: 'user',
  response: z.array(Session),
});

export const endSession = endpoint({
  method: 'DELETE',
  url: '/account/sessions/:id/',
  id: 'endAccountSession',
  tag: 'Account',
  summary: 'Sign out one of your sessions; its live streams end immediately',
  description: sessionsOnly,
  access: 'user',
  params: z.object({ id: z.string().max(64) }),
  status: 204,
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  url: '/account/sessions/',
  id: 'endOtherAccountSessions',
  tag: 'Account',
  summary: 'Sign out all your other sessions',
  description: sessionsOnly,
  access: 'user',
  response: z.object({ endedSessions: z.int() }).meta({ id: 'SessionsEnded' }),
});

export const deleteAccount = endpoint({
  method: 'POST',
  url: '/account/delete/',
  id: 'deleteAccount',
  tag: 'Account',
  summary: 'Delete your account',
  description: `Ends its sessions, API tokens and build tokens. Comments and activity stay, by "Deleted user". The last owner of an organisation gets 409 ACCOUNT_LAST_OWNER. ${sessionsOnly}`,
  access: 'user',
  body: z.object({ password: typedPassword.optional() }).meta({ id: 'AccountDeletion' }),
  status: 204,
});

export const getPasswordReset = endpoint({
  method: 'GET',
  url: '/password-reset/',
  id: 'getPasswordReset',
  tag: 'Account',
  summary: 'Check whether passwords can be reset by mail',
  access: 'public',
  response: z.object({ available: z.boolean() }).meta({ id: 'PasswordResetState' }),
});

export const requestPasswordReset = endpoint({
  method: 'POST',
  url: '/password-reset/',
  id: 'requestPasswordReset',
  tag: 'Account',
  summary: 'Request a link that sets a new password',
  description:
    'The response is the same whether or not an account exists. Limited by client address and by account. Returns 409 MAIL_OFF if the installation cannot send mail.',
  access: 'public',
  body: z.object({ email }).meta({ id: 'PasswordResetRequest' }),
  status: 202,
  response: z.object({ validMinutes: z.int() }).meta({ id: 'PasswordResetRequested' }),
});

export const resetPassword = endpoint({
  method: 'POST',
  url: '/password-reset/confirm/',
  id: 'resetPassword',
  tag: 'Account',
  summary: 'Set a new password by its link and sign out all sessions',
  description: 'API tokens stay. A password that is refused does not use up the link.',
  access: 'public',
  body: z.object({ token: linkToken, password: newPassword }).meta({ id: 'PasswordReset' }),
  response: z.object({ email: z.string() }).meta({ id: 'PasswordResetDone' }),
});

export const recoverAccount = endpoint({
  method: 'POST',
  url: '/recovery/',
  id: 'recoverAccount',
  tag: 'Account',
  summary: 'Sign in with a link of "culprit user recovery" and set a new password',
  description:
    'Sets the session cookie. The session needs no second factor and no provider. All other sessions are signed out; API tokens stay.',
  access: 'public',
  signsIn: true,
  body: z.object({ token: linkToken, password: newPassword }).meta({ id: 'Recovery' }),
  response: z.object({ email: z.string() }).meta({ id: 'Recovered' }),
});
