/**
 * Recognises the browser's view of a failure on the server. Such an event says that the server failed and nothing of
 * the cause, so grouped by itself it would make one issue of all failures of a project, or one of each screen.
 */
import type { GroupingComponent, IssueSeed } from '../types.ts';
import { because, names, waitingIssue } from '../../base/texts/grouping.ts';
import type { Event, Exception } from './event.ts';
import { leaf } from './group/explain.ts';
import { entry, shortHash } from './group/hash.ts';
import { isMasked, isRecovered } from './masked.ts';

/** Stands as grouping version in the rows of twins: what tells them from the events of servers. */
export const twinVersion = 'culprit:twin:1';
/** Basis of a hash that a twin got while its server event was not there. */
export const twinBasis = 'twin';
/** Tag of twins that browsers sent, with the value `yes`: to count them, and to search with or without them. */
export const viewTag = 'browser_view';

/** One failure as a browser knows it. */
export interface Twin {
  /** Digits; '' for none. */
  readonly digest: string;
  /** 32 hex digits; '' for none. */
  readonly traceId: string;
  /** Its message is the framework's, not the application's: then nothing of its own may group it. */
  readonly masked: boolean;
}

export type Side = 'browser' | 'server';

/** Servers on edge runtimes share the platform of browsers, and say what they run on. */
export function sideOf(event: Event): Side {
  return event.platform === 'javascript' && event.contexts?.runtime === undefined ? 'browser' : 'server';
}

/**
 * Undefined for an event that stands for itself. A digest on an event of a browser says that the error came from the
 * server. A server may send a masked event too, when it passes an error on that it has masked already.
 */
export function twinOf(event: Event, main: Exception | undefined, digest: string, traceId: string): Twin | undefined {
  // Whoever sets a fingerprint has decided where the event belongs.
  if (event.checksum !== undefined || event.fingerprint?.some((part) => !isDefault.test(part))) return undefined;
  const text = (main ? main.value : (event.logentry?.formatted ?? event.logentry?.message)) ?? '';
  if (isMasked(text)) return { digest, traceId, masked: true };
  if (sideOf(event) !== 'browser') return undefined;
  if (digest !== '' || (traceId !== '' && isRecovered(text))) return { digest, traceId, masked: false };
  return undefined;
}

const isDefault = /^\{\{\s*default\s*\}\}$/;

/** Of all masked events of a project whose server event is not known. */
export const waitingHash = shortHash(entry(twinVersion, 'waiting'));

/** Of one failure, until its server event is known; undefined where nothing tells it from others. */
export function twinHash({ digest, traceId }: Pick<Twin, 'digest' | 'traceId'>): string | undefined {
  if (digest !== '') return shortHash(entry(twinVersion, '') + entry('digest', digest));
  return traceId === '' ? undefined : shortHash(entry(twinVersion, '') + entry('trace', traceId));
}

/** Why events with a hash of this module are where they are. */
export function explainTwin({ digest, traceId }: Partial<Twin>): GroupingComponent[] {
  const children = [
    ...(digest ? [leaf('digest', names.digest, digest)] : []),
    ...(traceId ? [leaf('trace', names.trace, traceId)] : []),
  ];
  return [{ id: 'twin', name: names.browserView, contributes: true, why: because.twin, children }];
}

/** The issue of masked events whose server event is not known; one a project, whatever they say. */
export const waitingSeed: IssueSeed = {
  title: waitingIssue.title,
  culprit: '',
  level: 'error',
  platform: 'javascript',
  type: 'error',
  metadata: { type: waitingIssue.type, value: waitingIssue.value },
};
