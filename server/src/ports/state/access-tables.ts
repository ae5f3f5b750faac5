/** Tables of who may what: settings of organisations, owners of the installation. */
import type { Generated } from 'kysely';

export interface OrganizationSettingTable {
  organization_id: string;
  /** Which projects members see: all, or those of their teams. */
  member_access: Generated<'all' | 'teams'>;
}

/** They may make organisations. */
export interface InstallationOwnerTable {
  user_id: string;
}

export interface AccessTables {
  organization_setting: OrganizationSettingTable;
  installation_owner: InstallationOwnerTable;
}
