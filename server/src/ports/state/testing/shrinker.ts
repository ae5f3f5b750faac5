/** Deletes what a test has filled the database with, and gives that back, until it is killed; run as a process of its own. */
import { writeSync } from 'node:fs';
import { openState } from '../open.ts';

const state = await openState({ url: '', dataDir: process.argv[2] ?? '' });
await state.db.deleteFrom('setting').where('name', 'like', 'ballast %').execute();
writeSync(1, 'deleted\n');
await state.shrink();
