import type { Schemas } from '../../api/client.ts';

export type Event = Schemas['Event'];
export type Entry = Schemas['EventEntry'];
export type ExceptionValue = Schemas['ExceptionValue'];
export type Frame = Schemas['Frame'];
export type Stacktrace = Schemas['Stacktrace'];
export type Breadcrumb = Schemas['Breadcrumb'];
export type RequestData = Schemas['RequestData'];
export type GroupingNode = Schemas['GroupingNode'];
