export { createAccounts } from './accounts.ts';
export type { Accounts, AccountsOptions } from './accounts.ts';
export type { Identity, Membership } from './identity.ts';
export { scopes, scopesOfRole } from './scopes.ts';
export type { Scope } from './scopes.ts';
export type { SetUp, SetUpResult } from './set-up.ts';
export type { ApiToken, NewToken } from './tokens.ts';
export { insertMember, insertUser } from './users.ts';
export type { NewUser, Role, User } from './users.ts';
