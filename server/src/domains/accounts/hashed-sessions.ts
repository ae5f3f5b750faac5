/**
 * better-auth stores tokens of sessions as they are. Between it and the state store, they become hashes: what it writes,
 * and what it looks for. What it finds by a token gets that token back, since it compares the two.
 */
import { createHash } from 'node:crypto';
import type { DBAdapter, Where } from 'better-auth/adapters';

const prefix = 'sha256:';

const hashedToken = (token: string): string => prefix + createHash('sha256').update(token).digest('base64url');

interface Asked {
  readonly model: string;
  readonly where?: Where[];
}

export function hashedSessions(inner: DBAdapter): DBAdapter {
  const own = <A extends Asked>(asked: A): A =>
    asked.where ? { ...asked, where: hashedWhere(asked, hashedToken) } : asked;
  return {
    ...inner,
    async create(asked) {
      const { token } = asked.data;
      if (asked.model !== 'session' || typeof token !== 'string') return inner.create(asked);
      const made = await inner.create({ ...asked, data: { ...asked.data, token: hashedToken(token) } });
      return { ...made, token } as never;
    },
    findOne: async (asked) => withToken(await inner.findOne(own(asked)), asked),
    findMany: async (asked) => (await inner.findMany<never>(own(asked))).map((row) => withToken(row, asked)),
    count: (asked) => inner.count(own(asked)),
    update: async (asked) => withToken(await inner.update(own(asked)), asked),
    updateMany: (asked) => inner.updateMany(own(asked)),
    delete: (asked) => inner.delete(toDelete(asked)),
    deleteMany: (asked) => inner.deleteMany(toDelete(asked)),
    transaction: (work) => inner.transaction((trx) => work(hashedSessions({ ...inner, ...trx }))),
  };
}

/** Sessions of a list have no token but its hash, by which they may be ended. */
const toDelete = <A extends Asked>(asked: A): A => ({
  ...asked,
  where: hashedWhere(asked, (token) => (token.startsWith(prefix) ? token : hashedToken(token))),
});

function hashedWhere({ model, where = [] }: Asked, hash: (token: string) => string): Where[] {
  if (model !== 'session') return where;
  return where.map((each) => {
    if (each.field !== 'token') return each;
    const { value } = each;
    if (typeof value === 'string') return { ...each, value: hash(value) };
    return Array.isArray(value) ? { ...each, value: value.map((one) => hash(String(one))) } : each;
  });
}

function withToken<T>(row: T, { model, where = [] }: Asked): T {
  if (model !== 'session' || typeof row !== 'object' || row === null || !('token' in row)) return row;
  const asked = where.flatMap(({ field, value }) => (field === 'token' ? [value].flat() : []));
  const token = asked.find((each) => typeof each === 'string' && hashedToken(each) === row.token);
  return token === undefined ? row : { ...row, token };
}
