/** What builds upload: chunks, bundles, the scripts and maps in them, their lookup files; and tokens of an organisation. */
import type { Migration } from './migration.ts';

export const artifacts: Migration = {
  name: '0006-artifacts',
  async up(db, { counted }) {
    // Blobs are behind these rows. They outlive their organisation, so that whoever deletes them finds the blobs too.
    await db.schema
      .createTable('artifact_chunk')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('checksum', 'text', (column) => column.notNull())
      .addColumn('size_bytes', 'bigint', (column) => column.notNull())
      .addColumn('touched_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('artifact_chunk_checksum')
      .on('artifact_chunk')
      .columns(['organization_id', 'checksum'])
      .unique()
      .execute();
    await db.schema.createIndex('artifact_chunk_age').on('artifact_chunk').column('touched_at').execute();

    await db.schema
      .createTable('artifact_bundle')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('checksum', 'text', (column) => column.notNull())
      .addColumn('release', 'text', (column) => column.notNull())
      .addColumn('dist', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('chunks', 'text', (column) => column.notNull())
      .addColumn('size_bytes', 'bigint', (column) => column.notNull())
      .addColumn('file_count', 'integer', (column) => column.notNull())
      .addColumn('index_version', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('uploaded_at', 'bigint', (column) => column.notNull())
      .addColumn('indexed_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('artifact_bundle_upload')
      .on('artifact_bundle')
      .columns(['organization_id', 'checksum', 'release', 'dist'])
      .unique()
      .execute();
    await db.schema
      .createIndex('artifact_bundle_release')
      .on('artifact_bundle')
      .columns(['organization_id', 'release', 'dist'])
      .execute();
    await db.schema.createIndex('artifact_bundle_state').on('artifact_bundle').columns(['state', 'id']).execute();
    await db.schema.createIndex('artifact_bundle_age').on('artifact_bundle').column('uploaded_at').execute();

    await db.schema
      .createTable('artifact_bundle_project')
      .addColumn('bundle_id', 'integer', (column) =>
        column.notNull().references('artifact_bundle.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .execute();
    await db.schema
      .createIndex('artifact_bundle_project_pair')
      .on('artifact_bundle_project')
      .columns(['project_id', 'bundle_id'])
      .unique()
      .execute();
    await db.schema
      .createIndex('artifact_bundle_project_bundle')
      .on('artifact_bundle_project')
      .column('bundle_id')
      .execute();

    await db.schema
      .createTable('artifact')
      .addColumn('id', 'integer', counted)
      .addColumn('bundle_id', 'integer', (column) =>
        column.notNull().references('artifact_bundle.id').onDelete('cascade'),
      )
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('debug_id', 'text', (column) => column.notNull())
      .addColumn('map_url', 'text', (column) => column.notNull())
      .addColumn('script_bytes', 'bigint', (column) => column.notNull())
      .addColumn('map_bytes', 'bigint', (column) => column.notNull())
      .addColumn('sources', 'integer', (column) => column.notNull())
      .addColumn('lookup_key', 'text', (column) => column.notNull())
      .addColumn('problem', 'text', (column) => column.notNull())
      .addColumn('frames_resolved', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await db.schema.createIndex('artifact_debug_id').on('artifact').columns(['debug_id', 'bundle_id']).execute();
    await db.schema.createIndex('artifact_url').on('artifact').columns(['bundle_id', 'url']).execute();
    await db.schema.createIndex('artifact_lookup_key').on('artifact').column('lookup_key').execute();

    await db.schema
      .createTable('artifact_lookup')
      .addColumn('key', 'text', (column) => column.notNull().primaryKey())
      .addColumn('size_bytes', 'bigint', (column) => column.notNull())
      .addColumn('sources', 'integer', (column) => column.notNull())
      .addColumn('touched_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('artifact_lookup_age').on('artifact_lookup').column('touched_at').execute();

    await db.schema
      .alterTable('api_token')
      .addColumn('kind', 'text', (column) => column.notNull().defaultTo('user'))
      .execute();
  },
};
