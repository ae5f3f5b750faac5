/** Issues merged by hand and taken apart again, and signatures by which similar ones are found. */
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const merges: Migration = {
  name: '0014-merges',
  async up(db, { counted }) {
    await db.schema.alterTable('issue').addColumn('merged_into', 'integer').execute();
    await db.schema.createIndex('issue_merged_into').on('issue').column('merged_into').execute();
    await db.schema.alterTable('issue_hash').addColumn('merged_from', 'integer').execute();
    await db.schema
      .alterTable('issue_hash')
      .addColumn('signed', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createIndex('issue_hash_unsigned')
      .on('issue_hash')
      .columns(['project_id', 'hash'])
      .where(sql.ref('signed'), '=', sql.lit(0))
      .execute();

    await db.schema
      .createTable('issue_merge')
      .addColumn('child_id', 'integer', (column) => column.primaryKey().references('issue.id').onDelete('cascade'))
      .addColumn('project_id', 'integer', (column) => column.notNull())
      .addColumn('parent_id', 'integer', (column) => column.notNull().references('issue.id').onDelete('cascade'))
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('substatus', 'text')
      .addColumn('status_changed_at', 'bigint')
      .addColumn('reopened', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('merged_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('issue_merge_parent').on('issue_merge').column('parent_id').execute();
    await db.schema.createIndex('issue_merge_user').on('issue_merge').column('user_id').execute();

    await db.schema
      .createTable('issue_own')
      .addColumn('issue_id', 'integer', (column) => column.primaryKey().references('issue.id').onDelete('cascade'))
      .addColumn('first_seen', 'bigint', (column) => column.notNull())
      .addColumn('last_seen', 'bigint', (column) => column.notNull())
      .addColumn('first_release', 'text')
      .addColumn('last_release', 'text')
      .execute();

    await db.schema
      .createTable('issue_apart')
      .addColumn('issue_id', 'integer', (column) => column.notNull().references('issue.id').onDelete('cascade'))
      .addColumn('other_id', 'integer', (column) => column.notNull().references('issue.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('issue_apart_key', ['issue_id', 'other_id'])
      .execute();
    await db.schema.createIndex('issue_apart_other').on('issue_apart').column('other_id').execute();
    await db.schema.createIndex('issue_apart_user').on('issue_apart').column('user_id').execute();

    await db.schema
      .createTable('hash_signature')
      .addColumn('id', 'integer', counted)
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('hash', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('hash_signature_hash')
      .on('hash_signature')
      .columns(['project_id', 'hash'])
      .unique()
      .execute();
    await db.schema
      .createTable('hash_band')
      .addColumn('band', 'bigint', (column) => column.notNull())
      .addColumn('signature_id', 'integer', (column) =>
        column.notNull().references('hash_signature.id').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('hash_band_key', ['band', 'signature_id'])
      .execute();
    await db.schema.createIndex('hash_band_signature').on('hash_band').column('signature_id').execute();
  },
};
