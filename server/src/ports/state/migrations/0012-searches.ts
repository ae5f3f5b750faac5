/** Searches that people gave a name, and those that they ran last. */
import type { Migration } from './migration.ts';

export const searches: Migration = {
  name: '0012-searches',
  async up(db, { counted }) {
    await db.schema
      .createTable('saved_search')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('query', 'text', (column) => column.notNull())
      .addColumn('sort', 'text', (column) => column.notNull())
      .addColumn('visibility', 'text', (column) => column.notNull())
      .addColumn('state', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('saved_search_organization')
      .on('saved_search')
      .columns(['organization_id', 'type'])
      .execute();
    // Foreign keys look here when users go.
    await db.schema.createIndex('saved_search_user').on('saved_search').column('user_id').execute();

    await db.schema
      .createTable('saved_search_pin')
      .addColumn('saved_search_id', 'integer', (column) =>
        column.notNull().references('saved_search.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('saved_search_pin_key', ['saved_search_id', 'user_id'])
      .execute();
    await db.schema.createIndex('saved_search_pin_user').on('saved_search_pin').column('user_id').execute();

    await db.schema
      .createTable('recent_search')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('query', 'text', (column) => column.notNull())
      .addColumn('query_hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('recent_search_text')
      .on('recent_search')
      .columns(['organization_id', 'user_id', 'type', 'query_hash'])
      .unique()
      .execute();
    await db.schema.createIndex('recent_search_user').on('recent_search').column('user_id').execute();
  },
};
