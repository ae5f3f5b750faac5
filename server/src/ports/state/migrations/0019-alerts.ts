/** Alert rules, what they know, what they told, and who evaluates them. */
import type { Migration } from './migration.ts';

export const alerts: Migration = {
  name: '0019-alerts',
  async up(db, { counted }) {
    await db.schema
      .createTable('alert_rule')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('project_ids', 'text', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('query', 'text', (column) => column.notNull())
      .addColumn('definition', 'text', (column) => column.notNull())
      .addColumn('throttle_minutes', 'integer', (column) => column.notNull())
      .addColumn('digest_minutes', 'integer', (column) => column.notNull())
      .addColumn('channel_ids', 'text', (column) => column.notNull())
      .addColumn('owner', 'text')
      .addColumn('muted_until', 'bigint')
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('alert_rule_organization').on('alert_rule').column('organization_id').execute();
    await db.schema.createIndex('alert_rule_creator').on('alert_rule').column('created_by').execute();

    await db.schema
      .createTable('alert_rule_state')
      .addColumn('rule_id', 'integer', (column) => column.primaryKey().references('alert_rule.id').onDelete('cascade'))
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('state_since', 'bigint', (column) => column.notNull())
      .addColumn('told', 'text', (column) => column.notNull())
      .addColumn('calm', 'integer', (column) => column.notNull())
      .addColumn('value', 'double precision')
      .addColumn('evaluated_at', 'bigint', (column) => column.notNull())
      .addColumn('message_at', 'bigint')
      .addColumn('problem', 'text', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('alert_firing')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('rule_id', 'integer', (column) => column.notNull().references('alert_rule.id').onDelete('cascade'))
      .addColumn('cause', 'text', (column) => column.notNull())
      .addColumn('issue_id', 'integer')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('severity', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('alert_firing_cause')
      .on('alert_firing')
      .columns(['rule_id', 'cause'])
      .unique()
      .execute();
    // The history of a rule and of an organisation, the throttle of an issue, what is still to be told.
    await db.schema.createIndex('alert_firing_rule').on('alert_firing').columns(['rule_id', 'id']).execute();
    await db.schema.createIndex('alert_firing_log').on('alert_firing').columns(['organization_id', 'at']).execute();
    await db.schema.createIndex('alert_firing_newest').on('alert_firing').columns(['organization_id', 'id']).execute();
    await db.schema
      .createIndex('alert_firing_issue')
      .on('alert_firing')
      .columns(['issue_id', 'rule_id', 'at'])
      .execute();
    await db.schema
      .createIndex('alert_firing_state')
      .on('alert_firing')
      .columns(['organization_id', 'state'])
      .execute();

    await db.schema
      .createTable('alert_lease')
      .addColumn('organization_id', 'text', (column) =>
        column.primaryKey().references('organization.id').onDelete('cascade'),
      )
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('leased_until', 'bigint', (column) => column.notNull())
      .addColumn('read_until', 'bigint', (column) => column.notNull())
      .execute();
    // What happened to issues is read by time.
    await db.schema.createIndex('issue_activity_time').on('issue_activity').column('created_at').execute();
  },
};
