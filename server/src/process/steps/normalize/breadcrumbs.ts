/** Breadcrumbs: of too many the newest are kept. */
import { withoutColours } from '../../../base/ansi.ts';
import type { Breadcrumb } from '../event.ts';
import { asObject, asText, asValues } from '../json.ts';
import { countLimits, cutText, textLimits } from '../limits.ts';
import type { Remarks } from '../remarks.ts';
import { parseLevel } from './level.ts';
import { parseTime, toSeconds } from './time.ts';

/** `shiftMs` corrects the sender's clock. */
export function parseBreadcrumbs(value: unknown, shiftMs: number, remarks: Remarks): Breadcrumb[] {
  const list = asValues(value);
  const from = Math.max(0, list.length - countLimits.breadcrumbs);
  if (from > 0) remarks.changed(['breadcrumbs', 'values'], '!limit', 'x', list.length);
  const breadcrumbs: Breadcrumb[] = [];
  for (let index = from; index < list.length; index++) {
    const raw = asObject(list[index]);
    if (!raw) continue;
    const time = parseTime(raw.timestamp);
    const category = asText(raw.category);
    const message = asText(raw.message);
    const eventId = asText(raw.event_id);
    const breadcrumb: Breadcrumb = {
      timestamp: time === undefined ? undefined : toSeconds(time + shiftMs),
      type: cutText(asText(raw.type) ?? 'default', textLimits.short),
      category: category === undefined ? undefined : cutText(category, textLimits.short),
      level: parseLevel(raw.level) ?? 'info',
      message: message === undefined ? undefined : cutText(withoutColours(message), textLimits.message),
    };
    if (eventId !== undefined) breadcrumb.event_id = cutText(eventId, textLimits.symbol);
    if (asObject(raw.data)) breadcrumb.data = raw.data;
    breadcrumbs.push(breadcrumb);
  }
  return breadcrumbs;
}
