/** What the setup step of source maps says: from the uploads of the project and its last event. */
import { shownExceptions } from '../event/entries.ts';
import type { Event } from '../event/types.ts';
import { causesOf, causeWords } from '../stacktrace/causes.ts';
import * as m from '../../messages/source-maps.ts';
import { mapsText } from './artifact-words.ts';
import type { SourceMaps } from './queries.ts';

export interface Check {
  readonly kind: 'waiting' | 'working' | 'ok' | 'bad';
  readonly title: string;
  readonly detail: string;
  /** Whether the words are about the last event. */
  readonly ofEvent: boolean;
}

/** `event` is undefined where no event of a script is stored. */
export function sourceMapsCheck(
  maps: Pick<SourceMaps, 'state' | 'detail' | 'scripts' | 'mapped' | 'lastUpload'>,
  event: Pick<Event, 'symbolication' | 'entries' | 'release'> | undefined,
): Check {
  const { mapped, unresolved } = event?.symbolication ?? { mapped: 0, unresolved: 0 };
  const all = mapped + unresolved;
  if (event && all > 0 && unresolved === 0)
    return {
      kind: 'ok',
      title: m.resolved({ mapped, all }),
      detail: mapsText(maps),
      ofEvent: true,
    };
  if (maps.state === 'indexing')
    return {
      kind: 'working',
      title: m.indexing,
      detail: m.updates,
      ofEvent: false,
    };
  if (maps.state === 'error' || (maps.state === 'problems' && all === 0))
    return {
      kind: 'bad',
      title: maps.state === 'error' ? m.refused : m.problems,
      detail: maps.detail ?? '',
      ofEvent: false,
    };
  if (event && all > 0) {
    const [cause] = causesOf(shownExceptions(event).flatMap(({ stacktrace }) => stacktrace?.frames ?? []));
    return {
      kind: 'bad',
      title: m.resolved({ mapped, all }),
      detail: cause ? causeWords(cause, event.release?.version ?? '').wrong : '',
      ofEvent: true,
    };
  }
  return maps.lastUpload === null
    ? {
        kind: 'waiting',
        title: m.waitingUpload,
        detail: m.waitingUploadHint,
        ofEvent: false,
      }
    : { kind: 'waiting', title: m.waitingEvent, detail: m.usableSentence(maps), ofEvent: false };
}
