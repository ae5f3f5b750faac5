/** The Slack app of an organisation, and the requests that Slack sent of it. */
import type { Migration } from './migration.ts';

export const slack: Migration = {
  name: '0068-slack',
  kind: 'expand',
  async up(db) {
    await db.schema
      .createTable('slack_app')
      .addColumn('organization_id', 'text', (column) =>
        column.primaryKey().references('organization.id').onDelete('cascade'),
      )
      .addColumn('api_url', 'text', (column) => column.notNull())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('team_name', 'text', (column) => column.notNull())
      .addColumn('enterprise_id', 'text')
      .addColumn('bot_user_id', 'text', (column) => column.notNull())
      .addColumn('bot_name', 'text', (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('signing_secret', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('pressed_at', 'bigint')
      .execute();
    await db.schema
      .createTable('slack_request')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('slack_request_at').on('slack_request').column('at').execute();
  },
};
