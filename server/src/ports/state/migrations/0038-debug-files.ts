/** Debug files beside scripts: mappings of ProGuard and bundles of sources. */
import type { Migration } from './migration.ts';

export const debugFiles: Migration = {
  name: '0038-debug-files',
  async up(db) {
    const bundle = db.schema.alterTable('artifact_bundle');
    await bundle.addColumn('kind', 'text', (column) => column.notNull().defaultTo('scripts')).execute();
    await bundle.addColumn('name', 'text', (column) => column.notNull().defaultTo('')).execute();
    await bundle.addColumn('debug_id', 'text', (column) => column.notNull().defaultTo('')).execute();
    const artifact = db.schema.alterTable('artifact');
    await artifact.addColumn('kind', 'text', (column) => column.notNull().defaultTo('script')).execute();
    // One mapping may be uploaded under the ids of several builds.
    await db.schema.dropIndex('artifact_bundle_upload').execute();
    await db.schema
      .createIndex('artifact_bundle_upload')
      .on('artifact_bundle')
      .columns(['organization_id', 'checksum', 'release', 'dist', 'debug_id'])
      .unique()
      .execute();
  },
};
