import type { Schemas } from '../../api/client.ts';

export type Event = Schemas['Event'];
export type Entry = Schemas['EventEntry'];
export type ExceptionValue = Schemas['ExceptionValue'];
export type Frame = Schemas['Frame'] & {
  /** Page of the line in its repository, where that is known. */
  readonly sourceLink?: string | null;
};
export type Stacktrace = Schemas['Stacktrace'];
export type Breadcrumb = Schemas['Breadcrumb'];
export type RequestData = Schemas['RequestData'];
export type GroupingNode = Schemas['GroupingNode'];
