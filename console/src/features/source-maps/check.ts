/** What the set-up step of source maps says: from the uploads of the project and its last event. */
import { shownExceptions } from '../event/entries.ts';
import type { Event } from '../event/types.ts';
import { causesOf, causeWords } from '../stacktrace/causes.ts';
import { mapsText } from './artifact-words.ts';
import type { SourceMaps } from './queries.ts';
import { plural } from '../../ui/numbers.ts';

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
      title: `${mapped} of ${frames(all)} of the last event resolved`,
      detail: mapsText(maps),
      ofEvent: true,
    };
  if (maps.state === 'indexing')
    return {
      kind: 'working',
      title: 'The last upload is being indexed…',
      detail: 'This page updates automatically.',
      ofEvent: false,
    };
  if (maps.state === 'error' || (maps.state === 'problems' && all === 0))
    return {
      kind: 'bad',
      title: maps.state === 'error' ? 'The last upload was refused' : 'Source maps of the last upload cannot be used',
      detail: maps.detail ?? '',
      ofEvent: false,
    };
  if (event && all > 0) {
    const [cause] = causesOf(shownExceptions(event).flatMap(({ stacktrace }) => stacktrace?.frames ?? []));
    return {
      kind: 'bad',
      title: `${mapped} of ${frames(all)} of the last event resolved`,
      detail: cause ? causeWords(cause, event.release?.version ?? '').wrong : '',
      ofEvent: true,
    };
  }
  return maps.lastUpload === null
    ? {
        kind: 'waiting',
        title: 'Waiting for the first upload…',
        detail: 'Follow the steps below. This page updates automatically.',
        ofEvent: false,
      }
    : { kind: 'waiting', title: 'Waiting for an event of this build…', detail: `${mapsText(maps)}.`, ofEvent: false };
}

const frames = (count: number): string => plural(count, 'frame');
