/** Tables of the Slack app of an organisation. Times are ms since the epoch. */

export interface SlackAppTable {
  /** One app of one workspace each. */
  organization_id: string;
  /** Of Slack's API, without a trailing slash. */
  api_url: string;
  team_id: string;
  team_name: string;
  /** Of an Enterprise Grid; null for a workspace by itself. */
  enterprise_id: string | null;
  bot_user_id: string;
  bot_name: string;
  /** Sealed. */
  token: string;
  /** Sealed. */
  signing_secret: string;
  created_at: number;
  updated_at: number;
  /** When Slack last told of a press; null for never since it was connected. */
  pressed_at: number | null;
}

/** Requests of Slack that were taken, as long as their signature is good: none is taken twice, on any node. */
export interface SlackRequestTable {
  /** SHA-256 of the organisation and the signature, hex. */
  hash: string;
  at: number;
}

export interface SlackTables {
  slack_app: SlackAppTable;
  slack_request: SlackRequestTable;
}
