/** Which releases only events speak of, and how sure they are; names that found no room; rules that somebody muted for themselves. */
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

const hourMs = 3_600_000;

export const limits: Migration = {
  name: '0026-limits',
  async up(db) {
    await db.schema
      .alterTable('release')
      .addColumn('is_named', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable('release_project')
      .addColumn('sightings', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable('release_project')
      .addColumn('noted_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    // Nobody counted until now: what was seen for an hour is taken for real.
    await sql`update release_project set noted_at = coalesce(last_seen, 0),
      sightings = case when last_seen is null then 0 when last_seen - first_seen >= ${sql.lit(hourMs)} then 3 else 1 end`.execute(
      db,
    );
    await sql`update release set is_named = 1 where date_released is not null or date_started is not null
      or url is not null or ref is not null
      or exists (select 1 from release_project where release_id = release.id and first_seen is null)
      or exists (select 1 from release_commit where release_id = release.id)
      or exists (select 1 from release_head where release_id = release.id)
      or exists (select 1 from deploy where release_id = release.id)
      or exists (select 1 from artifact_bundle where organization_id = release.organization_id and release = release.version)`.execute(
      db,
    );

    await db.schema
      .createTable('name_overflow')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('day', 'bigint', (column) => column.notNull())
      .addColumn('names', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('name_overflow_key', ['project_id', 'kind', 'day'])
      .execute();

    await db.schema
      .createTable('alert_rule_mute')
      .addColumn('rule_id', 'integer', (column) => column.notNull().references('alert_rule.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('until', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('alert_rule_mute_key', ['rule_id', 'user_id'])
      .execute();
    await db.schema.createIndex('alert_rule_mute_user').on('alert_rule_mute').column('user_id').execute();
  },
};
