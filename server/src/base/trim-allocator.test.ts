import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const isGlibc =
  process.platform === 'linux' && 'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header;
const module = new URL('./trim-allocator.ts', import.meta.url).href;

/** In a process of its own, for what other tests left would go with it. Below 16 kB nothing is mapped by itself. */
const program = `
  import { setTimeout } from 'node:timers/promises';
  import { memoryUsage } from 'node:process';
  import { trimAllocator } from '${module}';
  const all = Array.from({ length: 8000 }, () => Buffer.allocUnsafeSlow(16_000).fill(1));
  const kept = all.filter((_, index) => index % 8 === 0);
  all.length = 0;
  gc();
  // Another thread frees them.
  await setTimeout(1000);
  const before = memoryUsage.rss();
  trimAllocator();
  const intact = kept.every((buffer) => buffer.every((byte) => byte === 1));
  console.log(JSON.stringify({ released: before - memoryUsage.rss(), intact }));
`;

test.runIf(isGlibc)('what was freed amid what is still used goes back to the system', () => {
  const options = { encoding: 'utf8' } as const;
  const output = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', program], options);
  const { released, intact } = JSON.parse(output) as { released: number; intact: boolean };
  expect(intact).toBe(true);
  expect(released).toBeGreaterThan(30e6);
});
