import * as m from '../../messages/trace-logs.ts';
import { LogsIcon } from '../../ui/icons.ts';
import type { EmptyRecord } from '../places/empty.ts';

export const none: EmptyRecord = { kind: 'nothing-yet', icon: LogsIcon, title: m.emptyTitle, hint: m.emptyHint };

export const noMatch: EmptyRecord = { kind: 'no-match', title: m.noMatch, action: { label: m.clear } };
