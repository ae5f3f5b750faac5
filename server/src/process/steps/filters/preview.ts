/** What filters would have dropped of events that are stored: each filter by itself, whether it is on or not. */
import type { Event } from '../event.ts';
import { compileFilters, judgeEvent } from './index.ts';
import { type FilterId, filterIds, type FilterSettings } from './settings.ts';

/** `payload`: the JSON of a stored event. The sender's address and browser are known as far as the event has them. */
export function createFilterPreview(patterns: FilterSettings['patterns']): (payload: string) => FilterId[] {
  const each = filterIds.flatMap((id) => compileFilters({ active: [id], patterns }) ?? []);
  return (payload) => {
    const event = JSON.parse(payload) as Event;
    return each.flatMap((filters) => judgeEvent(filters, event, {}) ?? []);
  };
}
