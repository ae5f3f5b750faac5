export { type Drop, listDrops } from './drops.ts';
export { bytesOf, type Going, goesBy, rowsOf } from './goes.ts';
export { type Keeping, keepingOf } from './keeping.ts';
export { createRetentionKeeper, type RetentionKeeper } from './keeper.ts';
export { daysBy, keptDays, readRules, type Rules, saveRules } from './settings.ts';
export { readStored } from './stored.ts';
