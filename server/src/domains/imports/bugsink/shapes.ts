/** What Bugsink's API (`/api/canonical/0/`) answers, as far as it is read. */
import { z } from 'zod';
import { bag, count, many, text, textOrNone, time, timeOrNone } from '../read.ts';

const id = text(64);

export const pageOf = <T>(one: z.ZodType<T>) => z.object({ next: z.string().max(4_096).nullish(), results: many(one) });

export const Team = z.object({ id, name: text(200) });

export const Project = z.object({
  id,
  team: id.nullish(),
  name: text(200),
  slug: text(200),
  dsn: textOrNone(2_048),
  alert_on_new_issue: z.boolean().nullish(),
  alert_on_regression: z.boolean().nullish(),
  alert_on_unmute: z.boolean().nullish(),
});

export const Release = z.object({ id, version: textOrNone(250), date_released: timeOrNone });

export const Issue = z.object({
  id,
  friendly_id: textOrNone(100),
  first_seen: time,
  last_seen: time,
  digested_event_count: count,
  calculated_type: textOrNone(1_000),
  calculated_value: textOrNone(1_000),
  is_resolved: z.boolean(),
  is_resolved_unconditionally: z.boolean().nullish(),
  is_resolved_by_next_release: z.boolean().nullish(),
  fixed_at: many(textOrNone(250), 10_000).nullish(),
  is_muted: z.boolean(),
  unmute_after: timeOrNone,
  unmute_on_volume_based_conditions: many(
    z.object({ period: text(20), nr_of_periods: count, volume: count }),
    100,
  ).nullish(),
});

export const TurningPoint = z.object({
  id,
  timestamp: time,
  kind: text(50),
  user_display_name: textOrNone(200),
  comment: textOrNone(100_000),
});

export const Event = z.object({ id, event_id: text(40), timestamp: time });

export const EventIssue = z.object({ issue: id });

export const EventDetail = z.object({ data: bag });
