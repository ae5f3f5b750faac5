/** Appends and leases until it is killed, saying on stdout what was promised; run by the contract as a process of its own. */
import { writeSync } from 'node:fs';
import { openLog } from '../open.ts';
import { readWriterOptions } from './writer-options.ts';

const log = await openLog(readWriterOptions(process.argv[2] ?? ''));
const say = (words: string): void => {
  writeSync(1, `${words}\n`);
};

const append = async (writer: number): Promise<void> => {
  for (let count = 0; ; count++) {
    const text = `${writer}-${count}`.padEnd(2_000 + ((writer * 977) % 9_000), '.');
    const position = await log.append(new TextEncoder().encode(text));
    say(`appended ${position} ${writer}-${count}`);
  }
};

const consume = async (): Promise<void> => {
  for (let turn = 0; ; turn++) {
    const batch = await log.lease({ maxRecords: 20, maxBytes: 1_000_000 });
    if (!batch) {
      await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    say(`leased ${batch.token}`);
    if (turn % 3 === 0) continue;
    say(`acknowledging ${batch.from} ${batch.to}`);
    await log.acknowledge(batch);
    say(`acknowledged ${batch.token}`);
  }
};

await Promise.all([...Array.from({ length: 16 }, (_, writer) => append(writer)), consume()]);
