/** Tables of what people set for themselves, and of links in mails about their accounts. Times are ms since the epoch. */

/** A link of a mail that was not used yet. One per user and kind. */
export interface AccountLinkTable {
  user_id: string;
  /** `reset` sets a new password, `email` confirms a new address, `recovery` is made on the host and signs in. */
  kind: 'reset' | 'email' | 'recovery';
  /** SHA-256 of the token, hex. The token itself is in the link alone. */
  token_hash: string;
  /** Where the link went, in lower case. */
  email: string;
  created_at: number;
  expires_at: number;
}

export interface UserPreferenceTable {
  user_id: string;
  /** JSON; what is left out is as it is for everybody. */
  preferences: string;
  updated_at: number;
}

/** How long sessions of an organisation's members last. No row: as for everybody. */
export interface SessionPolicyTable {
  organization_id: string;
  /** From signing in; null for no end while it is used. */
  lifetime_hours: number | null;
  /** From the last use; null for thirty days. */
  idle_hours: number | null;
  updated_at: number;
}

/** What sessions of an organisation's members must have shown. No row: nothing. */
export interface SignInPolicyTable {
  organization_id: string;
  /** 1 or 0. */
  second_factor: number;
  /** Through which they must have come in; null: any way. */
  provider_id: string | null;
  updated_at: number;
}

/** An authenticator app of somebody; a table of better-auth, but for the last two columns. Booleans are 1 or 0 on SQLite. */
export interface TwoFactorTable {
  id: string;
  userId: string;
  /** Encrypted, as the recovery codes, of which there are only hashes. */
  secret: string;
  backupCodes: string;
  /** False until a first code of it came. */
  verified: boolean | number | null;
  failedVerificationCount: number | null;
  lockedUntil: Date | string | null;
  /** Of the last code that was taken: earlier ones and itself are not taken again. */
  lastStep: number | null;
  createdAt: Date | string | null;
}

/** A table of better-auth, but for the last column. */
export interface PasskeyTable {
  id: string;
  userId: string;
  name: string | null;
  publicKey: string;
  credentialID: string;
  counter: number;
  deviceType: string;
  backedUp: boolean | number;
  transports: string | null;
  createdAt: Date | string | null;
  aaguid: string | null;
  lastUsedAt: Date | string | null;
}

export interface AccountTables {
  account_link: AccountLinkTable;
  user_preference: UserPreferenceTable;
  session_policy: SessionPolicyTable;
  sign_in_policy: SignInPolicyTable;
  twoFactor: TwoFactorTable;
  passkey: PasskeyTable;
}
