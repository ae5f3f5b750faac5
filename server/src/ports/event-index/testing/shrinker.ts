/**
 * Adds, drops and makes the file smaller, all at once, until it is killed; says on stdout what is added. Run by a test as a
 * process of its own.
 */
import { writeSync } from 'node:fs';
import { openEventIndex } from '../lmdb.ts';
import { weekMs } from '../weeks.ts';
import { entriesOf, hex, indexed } from './indexed.ts';

const index = await openEventIndex({ dir: process.argv[2] ?? '', shrinkFromBytes: 2 ** 16 });
const old = Date.now() - 20 * weekMs;

async function add(): Promise<void> {
  for (let round = 0; ; round++) {
    await index.add(entriesOf([indexed(`kept ${round}`)]));
    writeSync(1, `added ${round}\n`);
    const ballast = Array.from({ length: 3_000 }, (_, number) =>
      indexed(`old ${round} ${number}`, { at: old + number, hash: hex(`old ${number % 7}`) }),
    );
    await index.add(entriesOf(ballast));
    await index.dropBefore(old + 2 * weekMs);
    await new Promise((resolve) => setTimeout(resolve, round % 3));
    await index.filling.noteComplete();
  }
}

async function shrink(): Promise<void> {
  for (;;) {
    const spare = await index.shrink();
    if (spare > 0) writeSync(1, `shrunk ${spare}\n`);
    else await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

await Promise.all([add(), shrink()]);
