/** Of each table of the state store it is said whether a project that is restored brings its rows, and why not. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openMigratedState } from '../../../../ports/state/open.ts';
import { projectTables } from './tables.ts';

/** Comes as far as the project needs it: found there, or made. */
const shared = `project project_key team team_member repository release release_commit release_head deploy commit
  commit_file artifact_bundle artifact artifact_lookup artifact_chunk alert_rule alert_rule_mute saved_search
  saved_search_pin`;

const left = {
  'who people are, and what they may': `user account session verification twoFactor passkey organization member
    invitation invite api_token account_link user_preference session_policy organization_setting installation_owner
    notification_setting recent_search mail_opt_out saml_answer sign_in_domain sign_in_flow sign_in_identity
    sign_in_mapping sign_in_policy sign_in_provider oauth_client oauth_code oauth_device oauth_grant scim_token scim_user scim_group scim_group_member`,
  'secrets that another key seals': 'channel mirror webhook incoming_webhook slack_app',
  'limits of the organisation, and what was used of them': 'quota quota_use',
  'what was told, and what rules know: they begin anew': `alert_rule_state alert_firing alert_lease delivery webhook_delivery slack_request incoming_delivery incoming_commit change_note`,
  'work and facts of the installation': `bulk_job bulk_item data_export import_run import_item job backup_run deletion
    disk_sample disk_report erasure project_cost project_hold project_retention retention_class retention_drop retention_policy retention_report
    setting migration audit_entry audit_log audit_stream node rate_window sign_in_attempt preview issue_limit_batch`,
};

test('no table is forgotten, and columns that refer to others are mapped', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'culprit-tables-'));
  try {
    const { state } = await openMigratedState({ url: '', dataDir });
    await using _ = state;
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name
    `.execute(state.db);
    const words = (text: string): string[] => text.split(/\s+/);
    const said = [...projectTables.map(({ name }) => name), ...words(shared), ...Object.values(left).flatMap(words)];
    expect(said.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
    for (const { name, of, refs, optional } of projectTables) {
      const { rows: keys } = await sql<{ from: string }>`
        select "from" from pragma_foreign_key_list(${name})
      `.execute(state.db);
      const mapped = [of[0], ...Object.keys({ ...refs, ...optional })];
      expect(
        keys.map(({ from }) => from).filter((column) => !mapped.includes(column)),
        name,
      ).toEqual([]);
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
