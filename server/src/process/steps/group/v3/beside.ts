/**
 * When a text counts beside a stack. A stack tells where an error was made, unless it only tells where somebody reported
 * it: then all that is reported there has the same frames, and the text alone tells one from another.
 */
import type { Event, Exception } from '../../event.ts';
import { languageOf } from '../../family.ts';
import { because } from '../../../../base/texts/grouping.ts';
import type { Beside } from '../algorithm.ts';
import type { FrameParts } from '../frame.ts';
import { errorValue, messageValue } from './parameterize.ts';

export function textBesideStack({ type, mechanism }: Exception, platform: string): string | undefined {
  switch (languageOf(platform)) {
    case 'go':
      return because.errorText;
    case 'native':
      if (mechanism?.type === 'panic' && type === 'panic') return because.panicText;
      return mechanism?.type === 'tracing' && mechanism.synthetic === true ? because.capturedText : undefined;
    default:
      return undefined;
  }
}

/** A line of source that counts tells calls in one function apart better, since the text may hold names of people. */
export function messageBesideStack({ logentry, platform }: Event, last: FrameParts | undefined): Beside | undefined {
  if (!logentry || languageOf(platform) === 'javascript') return undefined;
  if (last?.contextLine && last.contextLine.why === undefined) return undefined;
  const { message, formatted } = logentry;
  const isTemplate = message !== undefined && formatted !== undefined && message !== formatted;
  const text = message ?? formatted;
  if (text === undefined) return undefined;
  return { value: isTemplate ? messageValue(text) : errorValue(text, platform), why: because.capturedText };
}
