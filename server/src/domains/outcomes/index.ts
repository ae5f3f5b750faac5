export { accountsOf, type Account, type Ended } from './accounts.ts';
export {
  deleteItem,
  findItem,
  itemsOfEvent,
  type ItemsRequest,
  type KeptItem,
  type KeptItemDetail,
  listItems,
  unknownItemTypes,
} from './items.ts';
export { countOutcomes } from './outcomes.ts';
export { refusedText, type Weight } from './reasons.ts';
export { usualErrorRates } from './usual.ts';
export { type IntakeTrouble, intakeTroubles } from './troubles.ts';
