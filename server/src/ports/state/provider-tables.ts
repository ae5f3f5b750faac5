/** Tables of single sign-on. Times are ms since the epoch, what is yes or no is 1 or 0. */
import type { Generated } from 'kysely';

/** Where members of an organisation sign in. */
export interface SignInProviderTable {
  id: string;
  organization_id: string;
  kind: string;
  /** As the sign-in page shows it. */
  name: string;
  /** JSON as the kind wants it, its secrets sealed. */
  settings: string;
  enabled: number;
  /** Whether people of its domains become members when they first come. */
  joins: number;
  /** Of who becomes a member and whom no row of the mapping gives another one. */
  default_role: string;
  /** What last went wrong, in words; '' when the last sign-in worked. */
  problem: string;
  problem_at: number | null;
  last_used_at: number | null;
  created_at: number;
  updated_at: number;
}

/** A domain of addresses. Several providers may claim it; it is verified for one of the installation. */
export interface SignInDomainTable {
  /** Lower case, as DNS has it. */
  domain: string;
  provider_id: string;
  /** What a TXT record of the domain has to say. */
  proof: string;
  /** Null until it is known that the organisation has the domain. */
  verified_at: number | null;
}

/** What membership of a group there gives here. */
export interface SignInMappingTable {
  id: Generated<number>;
  provider_id: string;
  value: string;
  role: string | null;
  team_id: number | null;
}

/** Who somebody is at a provider. */
export interface SignInIdentityTable {
  provider_id: string;
  /** What the provider calls them: `sub`, a NameID. It never changes there. */
  subject: string;
  user_id: string;
  created_at: number;
  last_used_at: number;
}

/** A sign-in that was begun. It ends with its first answer. */
export interface SignInFlowTable {
  /** SHA-256 of `state`, hex. */
  state_hash: string;
  provider_id: string;
  /** Sealed JSON. */
  data: string;
  expires_at: number;
}

/** An assertion of a SAML provider that was taken, as long as it could come again. */
export interface SamlAnswerTable {
  provider_id: string;
  /** SHA-256 of its ID, hex. */
  assertion_hash: string;
  /** SHA-256 of what the browser fetches it with, hex; null once that is done. */
  ticket_hash: string | null;
  /** Sealed JSON of what it says; '' once it was fetched. */
  data: string;
  expires_at: number;
}

export interface ProviderTables {
  saml_answer: SamlAnswerTable;
  sign_in_provider: SignInProviderTable;
  sign_in_domain: SignInDomainTable;
  sign_in_mapping: SignInMappingTable;
  sign_in_identity: SignInIdentityTable;
  sign_in_flow: SignInFlowTable;
}
