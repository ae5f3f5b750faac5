/** Assertions of SAML providers that were taken: each counts once, on whichever node. */
import type { Migration } from './migration.ts';

export const samlAnswers: Migration = {
  name: '0035-saml-answers',
  async up(db) {
    await db.schema
      .createTable('saml_answer')
      .addColumn('provider_id', 'text', (column) =>
        column.notNull().references('sign_in_provider.id').onDelete('cascade'),
      )
      .addColumn('assertion_hash', 'text', (column) => column.notNull())
      .addColumn('ticket_hash', 'text', (column) => column.unique())
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('saml_answer_key', ['provider_id', 'assertion_hash'])
      .execute();
    await db.schema.createIndex('saml_answer_expires').on('saml_answer').column('expires_at').execute();
  },
};
