import type { ItemContext, ItemResult } from '../types.ts';
import type { ReceivedItem } from './kept/index.ts';

/** Synchronous, and the same for the same input. A throw keeps the item aside. */
export type ProcessItem = (item: ReceivedItem, context: ItemContext) => ItemResult;

/** By the name that an item has in its header. */
export type ItemTypes = Readonly<Record<string, ProcessItem>>;
