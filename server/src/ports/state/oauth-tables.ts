/** Tables of OAuth: what programs ask people for, and what keeps their tokens alive. Times are ms since the epoch. */

import type { Generated } from 'kysely';

/** A program that registered itself. It has no secret: what it asks for, a person grants. */
export interface OauthClientTable {
  id: string;
  /** As it calls itself. */
  name: string;
  /** JSON array: where people may be sent back to. */
  redirect_uris: string;
  created_at: number;
}

/** What a person granted, until the program has fetched its token. */
export interface OauthCodeTable {
  /** SHA-256, hex. */
  code_hash: string;
  client_id: string;
  client_name: string;
  redirect_uri: string;
  /** SHA-256 of what the program proves itself with, base64url (RFC 7636). */
  challenge: string;
  user_id: string;
  organization_id: string;
  /** JSON array. */
  scopes: string;
  /** 1 or 0. One that is sent twice was stolen. */
  is_used: Generated<number>;
  /** Which it was used for. */
  token_id: Generated<number | null>;
  expires_at: number;
}

/** A program that shows a code for the person to type in elsewhere. */
export interface OauthDeviceTable {
  /** SHA-256, hex, of what the program knows. */
  device_hash: string;
  /** SHA-256, hex, of what the person types. */
  user_code_hash: string;
  client_id: string;
  client_name: string;
  /** JSON array of scopes. */
  asked: string;
  state: 'pending' | 'granted' | 'denied';
  /** Who granted it, where, and what; empty until then. */
  user_id: Generated<string | null>;
  organization_id: Generated<string | null>;
  scopes: Generated<string>;
  polled_at: Generated<number>;
  expires_at: number;
}

/** What renews an API token that was granted to a program. Goes with the token. */
export interface OauthGrantTable {
  token_id: number;
  client_id: string;
  /** SHA-256, hex, of the refresh token; and of the one before, which somebody else may have. */
  refresh_hash: string;
  former_hash: Generated<string>;
  refreshed_at: number;
  /** The API token has to be renewed by then. */
  access_expires_at: number;
}

export interface OauthTables {
  oauth_client: OauthClientTable;
  oauth_code: OauthCodeTable;
  oauth_device: OauthDeviceTable;
  oauth_grant: OauthGrantTable;
}
