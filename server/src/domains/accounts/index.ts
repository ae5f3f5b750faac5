export { createAccounts } from './accounts.ts';
export {
  allowsAddress,
  longestAddress,
  maxAllowedAddresses,
  readAllowedAddresses,
  seenFrom,
} from './allowed-addresses.ts';
export type { Accounts, AccountsOptions } from './accounts.ts';
export type { Identity, Membership } from './identity.ts';
export { removeFactors } from './factors/two-factor.ts';
export type { CodeOf, Factors } from './factors/factors.ts';
export {
  listPasskeys,
  type Passkey,
  removePasskey,
  removePassword,
  renamePasskey,
  takesPasskeys,
} from './factors/passkeys.ts';
export { providerWay } from './factors/way.ts';
export { authSecret } from './secret.ts';
export { hasSessionCookie, prefixFor } from './cookies.ts';
export { hashNewPassword } from './passwords/new.ts';
export { changeOrganization, createOrganization, isInstallationOwner } from './organizations.ts';
export type { OrganizationChange } from './organizations.ts';
export { sightIn } from './reach.ts';
export type { MemberAccess, Reach, Sight } from './reach.ts';
export { areas, isRole, missingForRole, roles, roleTable, scopesOfRole } from './roles.ts';
export type { Area, Role } from './roles.ts';
export { isScope, scopes, scopeWords } from './scopes.ts';
export { dropLink, linkGoodForMs, pendingEmailOf } from './own/links.ts';
export { changePassword, forgotPassword, makeRecoveryLink, setPasswordByLink } from './own/password.ts';
export { changePreferences, type Preferences, preferencesOf, stackOrders, themes } from './own/preferences.ts';
export { askForEmail, confirmEmail, renameUser } from './own/profile.ts';
export { removeAccount } from './own/removal.ts';
export { type Demand, membersWithoutFactor, type Shown, type Unmet } from './own/demands.ts';
export type { SessionPolicy } from './own/session-policy.ts';
export { endSession, endSessions, listSessions, type OpenSession } from './own/sessions.ts';
export type { Scope } from './scopes.ts';
export type { SetUp, SetUpResult } from './set-up.ts';
export { changeSwitches, type Switches, switchesOf, usualSwitches } from './switches.ts';
export { tell as tellOfPerson } from './signings.ts';
export { expiryInWords, expiryOf, readExpiry } from './token-expiry.ts';
export type { Expiry } from './token-expiry.ts';
export { createToken, deleteGrant, renewToken, revokeTokensOf } from './tokens.ts';
export type { ApiToken, EndedGrant, NewToken } from './tokens.ts';
export { insertMember, insertUser, newId } from './users.ts';
export type { NewUser, User } from './users.ts';
export { memberByEmail, type Vouched } from './vouched.ts';
