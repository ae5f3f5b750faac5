/** Tables of what a directory writes by SCIM. Times are ms since the epoch, what is yes or no is 1 or 0. */
import type { Generated } from 'kysely';

/** By which a directory writes the people and groups of an organisation, and does nothing else. */
export interface ScimTokenTable {
  id: Generated<number>;
  organization_id: string;
  name: string;
  /** SHA-256 of the token, hex. */
  token_hash: string;
  /** Last four characters. */
  token_hint: string;
  /** Null once they are gone. */
  maker_id: string | null;
  created_at: number;
  last_used_at: number | null;
  /** Null: never. */
  expires_at: number | null;
}

/** Somebody as a directory knows them; they are a member as long as they are active. */
export interface ScimUserTable {
  /** By which the directory names them. */
  id: string;
  organization_id: string;
  user_id: string;
  /** userName in lower case. */
  user_name_key: string;
  external_id: string | null;
  active: number;
  /** Whether the account came to be by this. */
  made_account: number;
  /** JSON: userName, name, displayName and emails as the directory writes them. */
  content: string;
  created_at: number;
  updated_at: number;
}

/** A group of a directory, and the team that its members are in here. */
export interface ScimGroupTable {
  id: string;
  organization_id: string;
  /** Null where the team was deleted. */
  team_id: number | null;
  name: string;
  /** In lower case. */
  name_key: string;
  external_id: string | null;
  created_at: number;
  updated_at: number;
}

export interface ScimGroupMemberTable {
  group_id: string;
  scim_user_id: string;
}

export interface ScimTables {
  scim_token: ScimTokenTable;
  scim_user: ScimUserTable;
  scim_group: ScimGroupTable;
  scim_group_member: ScimGroupMemberTable;
}
