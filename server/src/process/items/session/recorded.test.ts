/** Sessions of SDKs 10 and 11 as they were recorded: what of each is counted. */
import { parseEnvelope } from '@culprit/envelope';
import { expect, test } from 'vitest';
import { listFixtures, readFixture } from '../../../../../fixtures/index.ts';
import type { SessionRow } from '../../../base/tables/sessions.ts';
import { processItem } from '../index.ts';
import { context } from '../testing.ts';

const kinds = ['counted', 'ok', 'exited', 'errored', 'unhandled', 'abnormal', 'crashed'];

/** By SDK: what its sessions were in the end, and of how many users. */
function fates(): Record<string, unknown> {
  const rows = new Map<string, { sdk: string; row: SessionRow }>();
  for (const name of listFixtures()) {
    const { header, items } = parseEnvelope(readFixture(name).bytes);
    const sentAt = Date.parse(String(header.sent_at));
    for (const item of items) {
      if (item.type !== 'session' && item.type !== 'sessions') continue;
      const { rows: { sessions = [] } = {}, outcomes } = processItem(item, {
        ...context,
        sentAt,
        receivedAt: sentAt + 30,
      });
      expect(outcomes, name).toEqual([{ category: 'session', outcome: { kind: 'accepted' }, quantity: 1 }]);
      for (const row of sessions) {
        const key = `${name.split('/')[0]} ${row.minute} ${row.session}`;
        const known = rows.get(key)?.row;
        // As the store merges rows of one key.
        const merged = known && BigInt(known.user) > BigInt(row.user) ? { ...row, user: known.user } : row;
        rows.set(key, {
          sdk: name.split('/')[0] ?? '',
          row: { ...merged, status: Math.max(row.status, known?.status ?? 0) },
        });
      }
    }
  }
  const bySdk = Map.groupBy(rows.values(), ({ sdk }) => sdk);
  return Object.fromEntries(
    [...bySdk].map(([sdk, list]) => [
      sdk,
      list
        .map(({ row: { status, user, exited, errored, crashed } }) =>
          status === 0
            ? `counted: ${exited} exited, ${errored} errored, ${crashed} crashed`
            : `${kinds[status]}${user === '0' ? '' : ' for a user'}`,
        )
        .toSorted(),
    ]),
  );
}

test('each session once, as the worst it was', () => {
  expect(fates()).toEqual({
    'browser-10': ['crashed', 'errored for a user'],
    'browser-11': ['errored for a user', 'unhandled'],
    'node-10': ['counted: 1 exited, 1 errored, 0 crashed', 'crashed', 'errored for a user'],
    'node-11': ['counted: 1 exited, 1 errored, 0 crashed', 'crashed', 'errored for a user'],
  });
});
