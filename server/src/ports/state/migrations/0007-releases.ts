/** Releases with their commits and deploys; the repositories that commits and source links belong to. */
import type { Migration } from './migration.ts';

export const releases: Migration = {
  name: '0007-releases',
  async up(db, { counted }) {
    await db.schema
      .createTable('repository')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('link_template', 'text', (column) => column.notNull())
      .addColumn('default_branch', 'text', (column) => column.notNull())
      .addColumn('is_configured', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('repository_name')
      .on('repository')
      .columns(['organization_id', 'name'])
      .unique()
      .execute();

    await db.schema
      .createTable('code_mapping')
      .addColumn('id', 'integer', counted)
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('stack_root', 'text', (column) => column.notNull())
      .addColumn('source_root', 'text', (column) => column.notNull())
      .addColumn('branch', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('code_mapping_stack_root')
      .on('code_mapping')
      .columns(['project_id', 'stack_root'])
      .unique()
      .execute();
    await db.schema.createIndex('code_mapping_repository').on('code_mapping').column('repository_id').execute();

    await db.schema
      .createTable('release')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('ref', 'text')
      .addColumn('url', 'text')
      .addColumn('date_started', 'bigint')
      .addColumn('date_released', 'bigint')
      .addColumn('ordered_at', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('release_version')
      .on('release')
      .columns(['organization_id', 'version'])
      .unique()
      .execute();
    await db.schema
      .createIndex('release_ordered_at')
      .on('release')
      .columns(['organization_id', 'ordered_at desc', 'id desc'])
      .execute();

    await db.schema
      .createTable('release_project')
      .addColumn('release_id', 'integer', (column) => column.notNull().references('release.id').onDelete('cascade'))
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('first_seen', 'bigint')
      .addColumn('last_seen', 'bigint')
      .addPrimaryKeyConstraint('release_project_key', ['release_id', 'project_id'])
      .execute();
    await db.schema.createIndex('release_project_project').on('release_project').column('project_id').execute();

    await db.schema
      .createTable('release_environment')
      .addColumn('release_id', 'integer', (column) => column.notNull().references('release.id').onDelete('cascade'))
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('first_seen', 'bigint', (column) => column.notNull())
      .addColumn('last_seen', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('release_environment_key', ['release_id', 'project_id', 'environment'])
      .execute();
    await db.schema.createIndex('release_environment_project').on('release_environment').column('project_id').execute();

    await db.schema
      .createTable('commit')
      .addColumn('id', 'integer', counted)
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('sha', 'text', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('author_name', 'text', (column) => column.notNull())
      .addColumn('author_email', 'text', (column) => column.notNull())
      .addColumn('committed_at', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('commit_sha').on('commit').columns(['repository_id', 'sha']).unique().execute();

    await db.schema
      .createTable('commit_file')
      .addColumn('commit_id', 'integer', (column) => column.notNull().references('commit.id').onDelete('cascade'))
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('commit_file_key', ['commit_id', 'path'])
      .execute();

    await db.schema
      .createTable('release_commit')
      .addColumn('release_id', 'integer', (column) => column.notNull().references('release.id').onDelete('cascade'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('commit_id', 'integer', (column) => column.notNull().references('commit.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('release_commit_key', ['release_id', 'position'])
      .execute();
    await db.schema.createIndex('release_commit_commit').on('release_commit').column('commit_id').execute();

    await db.schema
      .createTable('release_head')
      .addColumn('release_id', 'integer', (column) => column.notNull().references('release.id').onDelete('cascade'))
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('sha', 'text', (column) => column.notNull())
      .addColumn('previous_sha', 'text')
      .addPrimaryKeyConstraint('release_head_key', ['release_id', 'repository_id'])
      .execute();
    await db.schema.createIndex('release_head_repository').on('release_head').column('repository_id').execute();

    await db.schema
      .createTable('deploy')
      .addColumn('id', 'integer', counted)
      .addColumn('release_id', 'integer', (column) => column.notNull().references('release.id').onDelete('cascade'))
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('date_started', 'bigint')
      .addColumn('date_finished', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('deploy_release').on('deploy').columns(['release_id', 'date_finished']).execute();

    // New issues of a release are counted with it.
    await db.schema.createIndex('issue_first_release').on('issue').columns(['project_id', 'first_release']).execute();
  },
};
