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
export { countOutcomes, type OutcomeSeries } from './outcomes.ts';
