/** Tables of who may what: settings of organisations, owners of the installation. */
import type { Generated } from 'kysely';

export interface OrganizationSettingTable {
  organization_id: string;
  /** Which projects members see: all, or those of their teams. */
  member_access: Generated<'all' | 'teams'>;
  /** 1 or 0: whether issues can be shared by links, and those that are there open. */
  share_links: Generated<number>;
  /** 1 or 0: whether members may invite others. */
  member_invitations: Generated<number>;
  /** JSON array of addresses and networks; empty: from everywhere. */
  allowed_addresses: Generated<string>;
  /** Scrubbing rules in Relay's language, JSON; '' for none. */
  scrub_rules: Generated<string>;
  /** 1 or 0: whether no project keeps IP addresses. */
  removes_addresses: Generated<number>;
  /** 1 or 0: whether all projects keep users as pseudonyms. */
  pseudonymizes_users: Generated<number>;
  /** IANA name: whose months are counted. */
  time_zone: Generated<string>;
  /** JSON array of ids: channels that are told of quotas. */
  quota_channels: Generated<string>;
}

/** They may make organisations. */
export interface InstallationOwnerTable {
  user_id: string;
}

export interface AccessTables {
  organization_setting: OrganizationSettingTable;
  installation_owner: InstallationOwnerTable;
}
