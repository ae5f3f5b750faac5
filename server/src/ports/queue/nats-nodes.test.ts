import { expect, test } from 'vitest';
import { lasting } from '../../base/testing.ts';
import { runSeveralNodes } from './testing/several-nodes.ts';

test('nodes and NATS killed at random: each record that was promised is in exactly one batch', async () => {
  const counts = await runSeveralNodes({ nodes: 3, runMs: lasting(5_000, 8_000), newest: false });
  expect(counts.promised).toBeGreaterThan(100);
}, 60_000);
