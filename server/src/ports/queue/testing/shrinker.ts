/**
 * Appends, drains and makes the file smaller, all at once, until it is killed; says on stdout what was promised. Run by a
 * test as a process of its own.
 */
import { writeSync } from 'node:fs';
import { testSecrets } from '../../../base/secrets/testing.ts';
import { openLmdbLog } from '../lmdb.ts';

const log = await openLmdbLog({
  dir: process.argv[2] ?? '',
  box: testSecrets.boxSetup('log record'),
  limitBytes: 2 ** 30,
  shrinkFromBytes: 2 ** 20,
});
const say = (words: string): void => {
  writeSync(1, `${words}\n`);
};

async function append(writer: number): Promise<void> {
  for (let count = 0; ; count++) {
    const burst = count % 10 === 0 ? 20 : 1;
    const values = Array.from({ length: burst }, () => new Uint8Array(20_000).fill(writer));
    for (const position of await Promise.all(values.map((value) => log.append(value)))) say(`appended ${position}`);
    if (burst > 1) await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

async function consume(): Promise<void> {
  for (;;) {
    const batch = await log.lease({ maxRecords: 500, maxBytes: 1e9 });
    if (!batch) {
      await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    say(`acknowledging ${batch.from} ${batch.to}`);
    await log.acknowledge(batch);
  }
}

async function shrink(): Promise<void> {
  for (;;) {
    const spare = await log.shrink();
    if (spare > 0) say(`shrunk ${spare}`);
    else await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

await Promise.all([...Array.from({ length: 4 }, (_, writer) => append(writer)), consume(), shrink()]);
