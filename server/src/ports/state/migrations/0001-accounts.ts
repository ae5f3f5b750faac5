/** The tables of better-auth, with the names and types that its Kysely adapter expects. */
import type { Migration } from './migration.ts';

export const accounts: Migration = {
  name: '0001-accounts',
  async up(db, { authTime, authBoolean }) {
    await db.schema
      .createTable('user')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('emailVerified', authBoolean, (column) => column.notNull())
      .addColumn('image', 'text')
      .addColumn('createdAt', authTime, (column) => column.notNull())
      .addColumn('updatedAt', authTime, (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('session')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('expiresAt', authTime, (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull().unique())
      .addColumn('createdAt', authTime, (column) => column.notNull())
      .addColumn('updatedAt', authTime, (column) => column.notNull())
      .addColumn('ipAddress', 'text')
      .addColumn('userAgent', 'text')
      .addColumn('userId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('activeOrganizationId', 'text')
      .execute();
    await db.schema
      .createTable('account')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('accountId', 'text', (column) => column.notNull())
      .addColumn('providerId', 'text', (column) => column.notNull())
      .addColumn('userId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('accessToken', 'text')
      .addColumn('refreshToken', 'text')
      .addColumn('idToken', 'text')
      .addColumn('accessTokenExpiresAt', authTime)
      .addColumn('refreshTokenExpiresAt', authTime)
      .addColumn('scope', 'text')
      .addColumn('password', 'text')
      .addColumn('createdAt', authTime, (column) => column.notNull())
      .addColumn('updatedAt', authTime, (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('verification')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('identifier', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('expiresAt', authTime, (column) => column.notNull())
      .addColumn('createdAt', authTime, (column) => column.notNull())
      .addColumn('updatedAt', authTime, (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('organization')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.notNull().unique())
      .addColumn('logo', 'text')
      .addColumn('createdAt', authTime, (column) => column.notNull())
      .addColumn('metadata', 'text')
      .execute();
    await db.schema
      .createTable('member')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('organizationId', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('userId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('createdAt', authTime, (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('invitation')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('organizationId', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('role', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('expiresAt', authTime, (column) => column.notNull())
      .addColumn('createdAt', authTime, (column) => column.notNull())
      .addColumn('inviterId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .execute();
    for (const [table, column] of [
      ['session', 'userId'],
      ['account', 'userId'],
      ['verification', 'identifier'],
      ['member', 'organizationId'],
      ['member', 'userId'],
      ['invitation', 'organizationId'],
      ['invitation', 'email'],
    ] as const) {
      await db.schema.createIndex(`${table}_${column}_idx`).on(table).column(column).execute();
    }
  },
};
