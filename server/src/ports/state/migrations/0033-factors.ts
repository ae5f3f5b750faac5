/** How somebody came in, second factors, passkeys, and what an organisation demands of its members' sessions. */
import type { Migration } from './migration.ts';

export const factors: Migration = {
  name: '0033-factors',
  async up(db, { authTime, authBoolean }) {
    await db.schema.alterTable('session').addColumn('way', 'text').execute();
    await db.schema.alterTable('session').addColumn('secondFactor', authBoolean).execute();
    await db.schema.alterTable('user').addColumn('twoFactorEnabled', authBoolean).execute();
    await db.schema
      .createTable('twoFactor')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('userId', 'text', (column) => column.notNull().unique().references('user.id').onDelete('cascade'))
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('backupCodes', 'text', (column) => column.notNull())
      .addColumn('verified', authBoolean)
      .addColumn('failedVerificationCount', 'integer')
      .addColumn('lockedUntil', authTime)
      .addColumn('lastStep', 'bigint')
      .addColumn('createdAt', authTime)
      .execute();
    await db.schema
      .createTable('passkey')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('userId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('name', 'text')
      .addColumn('publicKey', 'text', (column) => column.notNull())
      .addColumn('credentialID', 'text', (column) => column.notNull().unique())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('deviceType', 'text', (column) => column.notNull())
      .addColumn('backedUp', authBoolean, (column) => column.notNull())
      .addColumn('transports', 'text')
      .addColumn('createdAt', authTime)
      .addColumn('aaguid', 'text')
      .addColumn('lastUsedAt', authTime)
      .execute();
    await db.schema.createIndex('passkey_userId_idx').on('passkey').column('userId').execute();
    await db.schema
      .createTable('sign_in_policy')
      .addColumn('organization_id', 'text', (column) =>
        column.primaryKey().references('organization.id').onDelete('cascade'),
      )
      .addColumn('second_factor', 'integer', (column) => column.notNull())
      .addColumn('provider_id', 'text')
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
