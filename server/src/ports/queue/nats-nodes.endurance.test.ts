import { expect, test } from 'vitest';
import { runSeveralNodes } from './testing/several-nodes.ts';

test.each([false, true])(
  'a minute of kills, the newest NATS: %s',
  async (newest) => {
    const counts = await runSeveralNodes({ nodes: 4, runMs: 60_000, newest });
    console.log(JSON.stringify({ newest, ...counts }));
    expect(counts.promised).toBeGreaterThan(1_000);
  },
  300_000,
);
