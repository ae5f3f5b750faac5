/** Which fingerprint rule of a project an event matches. */
import type { Event, Exception, Frame, Thread } from '../event.ts';
import { tagValue } from '../event.ts';
import { frameFamily, platformFamily, type Family } from '../family.ts';
import { shortName } from './names.ts';
import type { FingerprintKey, FingerprintRule } from './rules/fingerprint-rules.ts';
import { isFlag, type Matcher } from './rules/matcher.ts';

type FingerprintMatcher = Matcher<FingerprintKey>;

const exceptionKeys = new Set<string>(['type', 'value'] satisfies FingerprintKey[]);
const frameKeys = new Set<string>(['module', 'path', 'package', 'function', 'app'] satisfies FingerprintKey[]);

/** The first that matches: what asks exceptions by one exception, what asks frames by one frame. */
export function findRule(rules: readonly FingerprintRule[], event: Event): FingerprintRule | undefined {
  if (rules.length === 0) return undefined;
  const exceptions = event.exception?.values ?? [];
  const frames = framesOf(event);
  const messages = messagesOf(event);
  return rules.find(({ matchers }) => {
    const ofExceptions = matchers.filter(({ key }) => exceptionKeys.has(key));
    const ofFrames = matchers.filter(({ key }) => frameKeys.has(key));
    return (
      matchers.every((matcher) => eventMatches(matcher, event, messages)) &&
      (ofExceptions.length === 0 || exceptions.some((one) => ofExceptions.every((matcher) => asks(matcher, one)))) &&
      (ofFrames.length === 0 ||
        frames.some((_, place) => ofFrames.every((matcher) => frameMatches(matcher, frames, place, event.platform))))
    );
  });
}

const asks = ({ key, test, negated }: FingerprintMatcher, { type, value }: Exception): boolean =>
  test(key === 'type' ? type : value?.trim()) !== negated;

/** True for matchers that ask exceptions or frames. */
function eventMatches({ key, test, negated }: FingerprintMatcher, event: Event, messages: readonly string[]): boolean {
  if (exceptionKeys.has(key) || frameKeys.has(key)) return true;
  // One message that is different is enough, like one exception.
  if (key === 'message') return messages.some((message) => test(message) !== negated);
  return test(eventValue(key, event)) !== negated;
}

function eventValue(key: FingerprintMatcher['key'], event: Event): string | undefined {
  switch (key) {
    case 'logger':
      return event.logger;
    case 'level':
      return event.level;
    case 'family':
      return familyName(platformFamily(event.platform));
    case 'sdk':
      return event.sdk?.name;
    case 'release':
      return event.release?.trim();
    default:
      return tagValue(event, key.slice('tags.'.length))?.trim();
  }
}

function familyName(family: Family): string {
  return family === 'javascript' || family === 'native' ? family : 'other';
}

/** People who match by message mean the error's text too. */
function messagesOf({ logentry, exception }: Event): string[] {
  const message = logentry?.formatted ?? logentry?.message;
  const values = (exception?.values ?? []).flatMap(({ value }) => value ?? []);
  return [...(message === undefined ? [] : [message]), ...values].map((text) => text.trim());
}

function frameMatches(
  { key, neighbour, negated, flag, test }: FingerprintMatcher,
  frames: readonly Frame[],
  place: number,
  platform: string,
): boolean {
  const frame = frames[neighbour === 'self' ? place : neighbour === 'caller' ? place - 1 : place + 1];
  if (!frame) return false;
  switch (key) {
    case 'app':
      return isFlag(frame.in_app, flag) !== negated;
    case 'path':
      return (test(frame.abs_path) || test(frame.filename)) !== negated;
    case 'function': {
      const family = frameFamily(frame, platform);
      const name = frame.function ?? frame.symbol;
      const short = name !== undefined && family === 'native' ? shortName(name, family) : name;
      return test(short || '<unknown>') !== negated;
    }
    default:
      return test(key === 'module' ? frame.module : frame.package) !== negated;
  }
}

/** Of all exceptions; else of the event; else of the thread that stands for it. */
function framesOf(event: Event): readonly Frame[] {
  const thrown = (event.exception?.values ?? []).flatMap(({ stacktrace }) => stacktrace?.frames ?? []);
  if (thrown.length > 0) return thrown;
  return event.stacktrace?.frames ?? decidingThread(event)?.stacktrace?.frames ?? [];
}

/** The crashed thread if there is one, else the current one, else the only one. */
export function decidingThread({ threads }: Event): Thread | undefined {
  const all = threads?.values ?? [];
  const one = (list: readonly Thread[]): Thread | undefined => (list.length === 1 ? list[0] : undefined);
  return one(all.filter(({ crashed }) => crashed)) ?? one(all.filter(({ current }) => current)) ?? one(all);
}
