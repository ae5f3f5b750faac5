/**
 * Which projects members see, service accounts, and who owns the installation: of one that is there already, its first
 * user, who set it up.
 */
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const access: Migration = {
  name: '0031-access',
  async up(db) {
    await db.schema
      .createTable('organization_setting')
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().primaryKey().references('organization.id').onDelete('cascade'),
      )
      .addColumn('member_access', 'text', (column) => column.notNull().defaultTo('all'))
      .execute();
    await db.schema.alterTable('api_token').addColumn('role', 'text').execute();
    await db.schema
      .alterTable('api_token')
      .addColumn('maker_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .execute();
    await db.schema
      .createTable('installation_owner')
      .addColumn('user_id', 'text', (column) => column.notNull().primaryKey().references('user.id').onDelete('cascade'))
      .execute();
    await sql`insert into installation_owner (user_id)
      select "user".id from "user" inner join member on member."userId" = "user".id
      where member.role = 'owner' order by "user"."createdAt" limit 1`.execute(db);
  },
};
