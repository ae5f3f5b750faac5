/** Tokens of sessions were stored as they are; what is stored of them from now on is a hash. */
import { createHash } from 'node:crypto';
import type { Migration } from './migration.ts';

export const sessionHashes: Migration = {
  name: '0024-session-hashes',
  async up(db) {
    const sessions = await db.selectFrom('session').select(['id', 'token']).execute();
    for (const { id, token } of sessions) {
      const hashed = `sha256:${createHash('sha256').update(token).digest('base64url')}`;
      await db.updateTable('session').set({ token: hashed }).where('id', '=', id).execute();
    }
  },
};
