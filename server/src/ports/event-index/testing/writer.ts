/** Writes, says how many on stdout, and is killed; run by a test as a process of its own. */
import { writeSync } from 'node:fs';
import { hex, indexed } from './indexed.ts';
import { EntryList } from '../entries.ts';
import { openEventIndex } from '../lmdb.ts';

const index = await openEventIndex({ dir: process.argv[2] ?? '' });
const list = new EntryList();
for (let number = 0; number < 500; number++) list.add(indexed(`event ${number}`));
await index.add(list.bytes());
await index.filling.noteComplete();
writeSync(1, String(index.newest({ projectId: 7, hashes: [hex('group')] }, 1_000)?.length));
process.kill(process.pid, 'SIGKILL');
