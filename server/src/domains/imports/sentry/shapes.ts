/** What Sentry's API (`/api/0/`) answers, as far as it is read. GlitchTip and Urgentry answer with a part of it. */
import { z } from 'zod';
import { bag, count, many, text, textOrNone, time, timeOrNone } from '../read.ts';

const id = text(64);
const slug = text(200);

export const Organization = z.object({ slug, name: textOrNone(200) });
export const Team = z.object({ slug, name: textOrNone(200) });

export const Member = z.object({
  email: textOrNone(320),
  role: textOrNone(40),
  orgRole: textOrNone(40),
  teams: many(slug, 1_000).nullish(),
});

export const Project = z.object({
  id,
  slug,
  name: textOrNone(200),
  platform: textOrNone(64),
  teams: many(z.object({ slug }), 1_000).nullish(),
});

export const Key = z.object({
  public: textOrNone(64),
  label: textOrNone(64),
  name: textOrNone(64),
  isActive: z.boolean().nullish(),
  dsn: z.object({ public: textOrNone(2_048) }).nullish(),
});

export const Release = z.object({
  version: textOrNone(250),
  dateCreated: timeOrNone,
  dateReleased: timeOrNone,
  url: textOrNone(2_000),
  ref: textOrNone(250),
  commitCount: count.nullish(),
  deployCount: count.nullish(),
  projects: many(z.object({ slug }), 10_000).nullish(),
});

const Person = z.object({ name: textOrNone(200), email: textOrNone(320), username: textOrNone(200) });

export const Commit = z.object({
  id,
  message: textOrNone(10_000),
  dateCreated: timeOrNone,
  author: Person.nullish(),
  repository: z.object({ name: textOrNone(200) }).nullish(),
});

export const Deploy = z.object({
  id,
  environment: textOrNone(64),
  name: textOrNone(64),
  url: textOrNone(2_000),
  dateStarted: timeOrNone,
  dateFinished: timeOrNone,
});

const RulePart = z.object({
  id: text(200),
  value: z.union([z.number(), z.string().max(20)]).nullish(),
  interval: textOrNone(10),
});

export const Rule = z.object({
  id,
  name: textOrNone(200),
  actionMatch: textOrNone(10),
  conditions: many(RulePart, 100).nullish(),
  filters: many(z.unknown(), 100).nullish(),
  actions: many(z.unknown(), 100).nullish(),
  frequency: count.nullish(),
  environment: textOrNone(64),
});

/** Of GlitchTip: so many events in so many minutes. */
export const ProjectAlert = z.object({
  id: id.nullish(),
  pk: id.nullish(),
  name: textOrNone(200),
  timespanMinutes: count.nullish(),
  timespan_minutes: count.nullish(),
  quantity: count.nullish(),
});

export const MetricRule = z.object({ name: textOrNone(200) });

export const Search = z.object({
  id,
  /** Of Culprit a word; of Sentry a number, and those of issues alone. */
  type: z.union([z.number(), z.string().max(40)]).nullish(),
  name: textOrNone(200),
  query: textOrNone(4_096),
  isGlobal: z.boolean().nullish(),
  visibility: textOrNone(40),
});

export const Issue = z.object({
  id,
  shortId: textOrNone(100),
  title: textOrNone(1_000),
  permalink: textOrNone(2_000),
  status: text(40),
  substatus: textOrNone(60),
  statusDetails: z
    .object({
      inNextRelease: z.boolean().nullish(),
      inRelease: textOrNone(250),
      ignoreUntil: timeOrNone,
      ignoreCount: count.nullish(),
      ignoreWindow: count.nullish(),
    })
    .nullish(),
  assignedTo: z
    .object({ type: textOrNone(20), name: textOrNone(200), email: textOrNone(320), slug: textOrNone(200) })
    .nullish(),
  firstSeen: time,
  lastSeen: time,
  count: count.nullish(),
  userCount: count.nullish(),
});

export const Comment = z.object({
  id,
  user: Person.nullish(),
  data: z.object({ text: textOrNone(100_000) }).nullish(),
  text: textOrNone(100_000),
  dateCreated: time,
});

export const Event = z.object({
  id: textOrNone(64),
  eventID: textOrNone(64),
  eventId: textOrNone(64),
  dateCreated: time,
});

export const EventIssue = z.object({ groupID: textOrNone(64) });

export const Payload = bag;
