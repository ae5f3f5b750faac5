/** Providers that members sign in through, who is known there, and sign-ins that are under way. */
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const signInProviders: Migration = {
  name: '0034-sign-in-providers',
  async up(db, { counted }) {
    await db.schema
      .createTable('sign_in_provider')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('joins', 'integer', (column) => column.notNull())
      .addColumn('default_role', 'text', (column) => column.notNull())
      .addColumn('problem', 'text', (column) => column.notNull())
      .addColumn('problem_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('sign_in_provider_organization')
      .on('sign_in_provider')
      .column('organization_id')
      .execute();
    await db.schema
      .createTable('sign_in_domain')
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('provider_id', 'text', (column) =>
        column.notNull().references('sign_in_provider.id').onDelete('cascade'),
      )
      .addColumn('proof', 'text', (column) => column.notNull())
      .addColumn('verified_at', 'bigint')
      .addPrimaryKeyConstraint('sign_in_domain_key', ['domain', 'provider_id'])
      .execute();
    await sql`create unique index sign_in_domain_verified on sign_in_domain (domain) where verified_at is not null`.execute(
      db,
    );
    await db.schema.createIndex('sign_in_domain_provider').on('sign_in_domain').column('provider_id').execute();
    await db.schema
      .createTable('sign_in_mapping')
      .addColumn('id', 'integer', counted)
      .addColumn('provider_id', 'text', (column) =>
        column.notNull().references('sign_in_provider.id').onDelete('cascade'),
      )
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('role', 'text')
      .addColumn('team_id', 'integer', (column) => column.references('team.id').onDelete('cascade'))
      .execute();
    await db.schema.createIndex('sign_in_mapping_provider').on('sign_in_mapping').column('provider_id').execute();
    await db.schema
      .createTable('sign_in_identity')
      .addColumn('provider_id', 'text', (column) =>
        column.notNull().references('sign_in_provider.id').onDelete('cascade'),
      )
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('sign_in_identity_key', ['provider_id', 'subject'])
      .execute();
    await db.schema.createIndex('sign_in_identity_user').on('sign_in_identity').column('user_id').execute();
    await db.schema
      .createTable('sign_in_flow')
      .addColumn('state_hash', 'text', (column) => column.notNull().primaryKey())
      .addColumn('provider_id', 'text', (column) =>
        column.notNull().references('sign_in_provider.id').onDelete('cascade'),
      )
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('sign_in_flow_expires').on('sign_in_flow').column('expires_at').execute();
  },
};
