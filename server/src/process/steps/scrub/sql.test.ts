/** Values in SQL that stand apart from the names of their columns. */
import { describe, expect, it } from 'vitest';
import { scrubRules } from './rules.ts';
import { scrubText } from './text.ts';

const rules = scrubRules({
  storeIpAddresses: true,
  scrubData: true,
  scrubDefaults: true,
  sensitiveFields: ['nickname'],
  safeFields: [],
});
const scrub = (text: string): string => scrubText(text, 'value', rules);
const secret = 'Zk7qWv3RtYb9LmXc2PdF';

describe('the values of sensitive columns', () => {
  it.each([
    [
      `INSERT INTO users (email, password, age) VALUES ('a@b.example', '${secret}', 7)`,
      `INSERT INTO users (email, password, age) VALUES ('a@b.example', '[Filtered]', 7)`,
    ],
    [
      `insert into "public"."users" ("id", "password") values (1, '${secret}'), (2, 'it''s, (x)') returning id`,
      `insert into "public"."users" ("id", "password") values (1, '[Filtered]'), (2, '[Filtered]') returning id`,
    ],
    [
      `REPLACE INTO \`t\` (\`pin\`,\`a\`) VALUES (48213,'b')`,
      `REPLACE INTO \`t\` (\`pin\`,\`a\`) VALUES ([Filtered],'b')`,
    ],
    ['INSERT INTO t (pin) VALUES (48213)', 'INSERT INTO t (pin) VALUES ([Filtered])'],
    [
      `INSERT INTO [dbo].[t] ([a], [api_key]) OUTPUT inserted.id VALUES (f(1, 2), N'${secret}')`,
      `INSERT INTO [dbo].[t] ([a], [api_key]) OUTPUT inserted.id VALUES (f(1, 2), N'[Filtered]')`,
    ],
    [`INSERT INTO t (a, token) VALUES (1, '${secret} and so on`, `INSERT INTO t (a, token) VALUES (1, '[Filtered]`],
    [`INSERT INTO t (a, nickname) VALUES (1, 'Bob')`, `INSERT INTO t (a, nickname) VALUES (1, '[Filtered]')`],
    [
      `SELECT 1 FROM t WHERE token IN ('${secret}', '${secret}') AND a IN ('b')`,
      `SELECT 1 FROM t WHERE token IN ('[Filtered]', '[Filtered]') AND a IN ('b')`,
    ],
    [
      `SELECT 1 FROM t WHERE "token" NOT LIKE '${secret}%' OR api_key <> '${secret}' OR secret!='${secret}'`,
      `SELECT 1 FROM t WHERE "token" NOT LIKE '[Filtered]' OR api_key <> '[Filtered]' OR secret!='[Filtered]'`,
    ],
    [`CREATE USER app IDENTIFIED BY '${secret}'`, `CREATE USER app IDENTIFIED BY '[Filtered]'`],
    [
      `ALTER USER app IDENTIFIED WITH mysql_native_password BY '${secret}'`,
      `ALTER USER app IDENTIFIED WITH mysql_native_password BY '[Filtered]'`,
    ],
    [`ALTER ROLE app WITH PASSWORD '${secret}'`, `ALTER ROLE app WITH PASSWORD '[Filtered]'`],
    [
      `duplicate key value violates unique constraint "t_token_key"\nDETAIL:  Key (token)=(${secret}) already exists.`,
      `duplicate key value violates unique constraint "t_token_key"\nDETAIL:  Key (token)=([Filtered]) already exists.`,
    ],
    [
      `null value in column "a"\nDETAIL:  Failing row contains (1, ${secret}, null).`,
      `null value in column "a"\nDETAIL:  Failing row contains ([Filtered]).`,
    ],
    [
      `[SQL: INSERT INTO users (email, password) VALUES (?, ?)]\n[parameters: ('a@b.example', '${secret}')]`,
      `[SQL: INSERT INTO users (email, password) VALUES (?, ?)]\n[parameters: ('a@b.example', '[Filtered]')]`,
    ],
  ])('%s', (sent, stored) => {
    expect(scrub(sent)).toBe(stored);
    expect(scrub(stored)).toBe(stored);
    expect(scrub(JSON.stringify({ query: sent }))).not.toContain(secret);
  });
});

describe('lines of source', () => {
  const inCode = (text: string): string => scrubText(text, 'code', rules);
  it('have literals filtered, and code stays', () => {
    expect(inCode(`db.run("INSERT INTO users (email, password) VALUES ('a@b.example', '${secret}')")`)).toBe(
      `db.run("INSERT INTO users (email, password) VALUES ('a@b.example', '[Filtered]')")`,
    );
    for (const line of [
      'db.run(`INSERT INTO users (email, password) VALUES (${email}, ${password})`)',
      `db.run("INSERT INTO users (email, password) VALUES (?, ?)", [email, password])`,
      `if token in ('ID', 'NUMBER'):`,
      `  if (key in ('a')) password !== 'b';`,
    ])
      expect(inCode(line)).toBe(line);
  });
});

describe('what stays', () => {
  it.each([
    `INSERT INTO users (email, password) VALUES (?, $2)`,
    `INSERT INTO users (email, password) VALUES (%s, NULL), (%(email)s, :password)`,
    `INSERT INTO orders (id, total) VALUES (1, 'a')`,
    `SELECT token_count FROM t WHERE name IN ('a', 'b') AND title LIKE 'x%'`,
    `SELECT 1 FROM t WHERE token IN (SELECT token FROM u)`,
    `DETAIL:  Key (email_id)=(7) already exists.`,
    `Cannot read properties of undefined (reading 'price')`,
    `A password 'is required`.replace("'", ''),
    `the token in 'storage' is missing`,
    `put the key into the lock's hole`,
  ])('%s', (text) => {
    expect(scrub(text)).toBe(text);
  });
});
