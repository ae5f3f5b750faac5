import { expect, test } from 'vitest';
import { onPostgres } from '../../ports/state/testing/databases.ts';
import { deleteOldAttempts } from './shared-attempts.ts';
import { createLinkLimit } from './own/link-limits.ts';
import { createAddressLimit, createSignInLimits } from './sign-in-limits.ts';
import { createTries } from './tries.ts';

onPostgres('limits of sign-ins on several nodes', (databases) => {
  async function open() {
    const shared = await databases.migrated();
    const clock = { nowMs: 1_000_000, passwordSetAt: 0 };
    const makeNode = () =>
      createSignInLimits({
        tries: createTries(shared),
        passwordSetAt: async () => clock.passwordSetAt,
        now: () => clock.nowMs,
      });
    const nodes = [makeNode(), makeNode()];
    let tries = 0;
    const attempt = async (device?: string): Promise<number> => {
      tries += 1;
      const address = `198.51.100.${tries}`;
      return (
        nodes[tries % 2]?.begin({ email: 'ada@example.com', address, device }).then(
          () => 0,
          (error: { retryAfter: number }) => error.retryAfter,
        ) ?? -1
      );
    };
    const times = async (count: number): Promise<number[]> => {
      const waits: number[] = [];
      for (let index = 0; index < count; index++) waits.push(await attempt());
      return waits;
    };
    return { shared, nodes, clock, attempt, times };
  }
  const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

  test('ten are free on all together, then each has to wait', async () => {
    const { shared, clock, attempt, times } = await open();
    expect(await times(10)).toEqual(zeros(10));
    expect(await times(2)).toEqual([60, 60]);
    expect(await attempt('a browser that is known')).toBe(0);
    clock.nowMs += 60_000;
    expect(await times(2)).toEqual([0, 120]);
    // A new password begins anew.
    clock.passwordSetAt = clock.nowMs;
    expect(await times(10)).toEqual(zeros(10));
    // Neither names nor addresses are stored.
    const rows = await shared.db.selectFrom('sign_in_attempt').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/ada|198\.51/);
    await deleteOldAttempts(shared, clock.nowMs + 1);
    expect(await shared.db.selectFrom('sign_in_attempt').selectAll().execute()).toEqual([]);
  });

  test('many at once are counted, and what was not wrong is taken back', async () => {
    const { nodes, attempt, times } = await open();
    const begun = await Promise.allSettled(
      Array.from({ length: 14 }, (_, index) =>
        nodes[index % 2]?.begin({ email: 'ada@example.com', address: `192.0.2.${index}`, device: undefined }),
      ),
    );
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const one of begun) if (one.status === 'fulfilled') one.value?.();
    await expect.poll(() => attempt()).toBe(0);
    expect(await times(5)).toEqual(zeros(5));
  });

  test('mails, links and secrets are counted together, each by itself', async () => {
    const { shared, clock, attempt } = await open();
    const now = () => clock.nowMs;
    const nodes = [0, 1].map(() => {
      const tries = createTries(shared);
      return {
        mail: createLinkLimit(tries, now),
        link: createAddressLimit({ tries, kind: 'link', now }),
        setUp: createAddressLimit({ tries, kind: 'set-up', now }),
      };
    });
    const refusals = async (count: number, ask: (node: (typeof nodes)[number], nth: number) => Promise<void>) => {
      const codes: string[] = [];
      for (let nth = 0; nth < count; nth++)
        await ask(nodes[nth % 2]!, nth).catch((error: { code: string }) => codes.push(error.code));
      return codes;
    };
    expect(await refusals(5, ({ mail }, nth) => mail('ada@example.com', `198.51.100.${nth}`))).toEqual([
      'LINKS_LIMITED',
      'LINKS_LIMITED',
    ]);
    expect(await refusals(12, ({ link }) => link('192.0.2.7'))).toEqual(['SIGN_IN_LIMITED', 'SIGN_IN_LIMITED']);
    expect(await refusals(12, ({ setUp }) => setUp('192.0.2.7'))).toEqual(['SIGN_IN_LIMITED', 'SIGN_IN_LIMITED']);
    expect(await attempt()).toBe(0);
    clock.nowMs += 10 * 60_000;
    expect(await refusals(1, ({ mail }) => mail('ada@example.com', '198.51.100.9'))).toEqual([]);
  });
});
