export { type Ages, agesBy, agesOf, type Chosen, daysFor, longestDays, longestOf, readChosen } from './ages.ts';
export { type Drop, listDrops } from './drops.ts';
export { freedBy, freedOf } from './freed.ts';
export { bytesOf, type Going, goesBy, rowsOf } from './goes.ts';
export { type Keeping, keepingOf } from './keeping.ts';
export { createRetentionKeeper, type RetentionKeeper } from './keeper.ts';
export { groupsOf, type Overdue, overdueOf } from './overdue.ts';
export {
  changedPolicies,
  chosenBy,
  type Choosing,
  mostPolicies,
  type NewPolicy,
  readChoices,
  readPolicies,
  saveChoices,
  savePolicies,
} from './policies.ts';
export { readRules, type Rules, saveRules } from './settings.ts';
export { readStored } from './stored.ts';
