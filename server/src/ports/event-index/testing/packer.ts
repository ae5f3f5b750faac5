/** Writes, begins to write a week anew, and is killed meanwhile; run by a test as a process of its own. */
import { dayMs } from '../weeks.ts';
import { entriesOf, indexed } from './indexed.ts';
import { openEventIndex } from '../lmdb.ts';

const [dir = '', slices = ''] = process.argv.slice(2);
const index = await openEventIndex({ dir });
const at = Date.now() - 20 * dayMs;
await index.add(
  entriesOf(Array.from({ length: 2_000 }, (_, number) => indexed(`event ${number}`, { at: at + number }))),
);
await index.filling.noteComplete();
let left = Number(slices);
for (const week of index.weeksToPack()) {
  await index.pack(week, async () => {
    if (left-- === 0) process.kill(process.pid, 'SIGKILL');
    return true;
  });
}
process.kill(process.pid, 'SIGKILL');
