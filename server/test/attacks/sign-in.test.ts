/** Whoever tries passwords slows neither those who send events nor the owner, and does not get far. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { culprit, endurance, envelopeUrl, errorEnvelope, newEventId, owner, realHashes, Server } from '../harness.ts';
import { cookiesOf, type RawAnswer, rawCall } from './raw-call.ts';

let server: Server;
let addresses = 0;

beforeAll(async () => {
  server = await Server.create();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const nextAddress = (): string => `198.51.${100 + (++addresses >> 8)}.${addresses & 255}`;

interface Try {
  readonly email?: string;
  readonly password?: string;
  readonly address?: string;
  readonly cookie?: string;
}

/** The proxy on loopback tells of the address. */
const signIn = ({
  email = owner.email,
  password = 'not this one',
  address = nextAddress(),
  cookie = '',
}: Try = {}): Promise<RawAnswer> =>
  rawCall(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: server.url, 'x-forwarded-for': address, cookie },
    body: { email, password },
  });

const expectLimited = (answer: RawAnswer, code = 'SIGN_IN_LIMITED'): void => {
  expect(answer).toMatchObject({ status: 429, code });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
};

// Seventy hashes of a third of a second each. That two threads hash, and a bounded queue waits for them, is tested with them.
describe.runIf(endurance)('at what a password costs in life', () => {
  let before: Server;

  beforeAll(async () => {
    before = server;
    server = await Server.create(realHashes);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    server = before;
  });

  test('events are taken while passwords are hashed', async () => {
    const send = async (): Promise<void> => {
      const body = errorEnvelope(newEventId());
      expect((await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body })).status).toBe(200);
    };
    await send();
    await signIn({ email: 'warm@example.com' });

    let answered = 0;
    const tries = Array.from({ length: 24 }, async (_, index) => {
      const { status } = await signIn({ email: `user${index}@example.com` });
      answered += 1;
      return status;
    });
    // By then the others wait for their turn.
    await Promise.race(tries);
    const overtaken: number[] = [];
    while (answered < tries.length) {
      const before = answered;
      await send();
      overtaken.push(answered - before);
    }
    expect(await Promise.all(tries)).toEqual(Array.from({ length: 24 }, () => 401));
    // In one queue with them an event would wait for seven or more; how long one takes depends on the machine.
    expect(Math.max(...overtaken)).toBeLessThan(5);
  });

  test('what is more than can be hashed soon is told when to come again', async () => {
    const answers = await Promise.all(
      Array.from({ length: 44 }, (_, index) => signIn({ email: `many${index}@example.com` })),
    );
    const refused = answers.filter(({ status }) => status !== 401);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expectLimited(answer, 'SIGN_IN_BUSY');
  });
});

test('an address is limited, and says so in the header that clients read', async () => {
  const address = nextAddress();
  for (let index = 0; index < 10; index++) {
    expect((await signIn({ address, email: `a${index}@example.com` })).status).toBe(401);
  }
  expectLimited(await signIn({ address, email: 'a@example.com' }));
});

test('a /48 is limited as what it is: one site', async () => {
  const statuses = async (count: number, at: (index: number) => string): Promise<number[]> => {
    const all: number[] = [];
    for (let index = 0; index < count; index++) {
      all.push((await signIn({ address: at(index), email: `six${index}@example.com` })).status);
    }
    return all;
  };
  const site = await statuses(24, (index) => `2001:db8:2:${index.toString(16)}::1`);
  expect(site.filter((status) => status === 401)).toHaveLength(20);
});

test('an account is limited whatever the addresses, there or not, and its owner gets in', async () => {
  const known = await signIn({ password: owner.password });
  expect(known.status).toBe(200);
  const device = cookiesOf(known)
    .split('; ')
    .filter((one) => one.includes('.device-'))
    .join();
  const answers = new Map<string, string[]>();
  for (const email of [owner.email, owner.email.toUpperCase(), 'nobody@example.com']) {
    const said: string[] = [];
    for (let index = 0; index < 12; index++) {
      const { status, code } = await signIn({ email });
      said.push(`${status} ${code}`);
    }
    answers.set(email, said);
  }
  const [theirs = [], spelledOtherwise, nobodys] = answers.values();
  expect(theirs.filter((each) => each.startsWith('401'))).toHaveLength(10);
  expect(spelledOtherwise).toEqual(Array.from({ length: 12 }, () => theirs[11]));
  expect(nobodys).toEqual(theirs);

  expectLimited(await signIn({ password: owner.password }));
  expect((await signIn({ password: owner.password, cookie: device })).status).toBe(200);

  // Whoever runs the machine opens the way again.
  const reset = ['user', 'password', '--email', owner.email, '--password-stdin'];
  expect(await culprit(reset, { CULPRIT_DATA_DIR: server.dataDir }, 'an entirely new one')).toMatchObject({ code: 0 });
  expect((await signIn({ password: 'an entirely new one' })).status).toBe(200);
});

test('common passwords are refused wherever one is set', async () => {
  const { inviteLink } = await server.api<{ inviteLink: string }>('/organizations/acme/members/', {
    method: 'POST',
    body: JSON.stringify({ email: 'mallory@example.com', role: 'member' }),
  });
  const token = inviteLink.split('/').at(-1) ?? '';
  const join = (password: string): Promise<RawAnswer> =>
    rawCall(`${server.url}/api/0/invitations/${token}/`, {
      method: 'POST',
      headers: { origin: server.url },
      body: { password },
    });
  for (const password of ['password', '12345678', 'password1', 'qwertyuiop', 'Mallory-1234', 'acme2026', 'culprit1']) {
    const refused = await join(password);
    expect([password, refused.status, refused.code]).toEqual([password, 400, 'PASSWORD_COMMON']);
    expect(refused.text).toContain('Use several unrelated words');
  }
  expect((await join('a long walk by the sea')).status).toBe(200);

  const empty = await mkdtemp(tmpdirName());
  for (const [words, dataDir] of [
    [['user', 'password', '--email', owner.email, '--password-stdin'], server.dataDir],
    [['user', 'create', '--email', 'eve@example.com', '--password-stdin'], server.dataDir],
    [['init', '--email', 'ada@example.com', '--password-stdin', '--org', 'Acme', '--project', 'Web'], empty],
  ] as const) {
    const { code, stderr } = await culprit(words, { CULPRIT_DATA_DIR: dataDir }, 'password1');
    expect([words[0], code, stderr]).toEqual([words[0], 1, expect.stringContaining('PASSWORD_COMMON')]);
  }
  await rm(empty, { recursive: true });
});

const tmpdirName = (): string => join(tmpdir(), 'culprit-empty-');
