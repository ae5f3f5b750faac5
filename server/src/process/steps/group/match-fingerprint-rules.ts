/** Which fingerprint rule of a project an event matches. */
import type { Event, Exception, Frame, Thread } from '../event.ts';
import { tagValue } from '../event.ts';
import { frameFamily, platformFamily, type Family } from '../family.ts';
import { shortName } from './names.ts';
import type { FingerprintKey, FingerprintRule } from './rules/fingerprint-rules.ts';
import { type PathText, toPathText } from './rules/glob.ts';
import { isFlag, type Matcher } from './rules/matcher.ts';

type FingerprintMatcher = Matcher<FingerprintKey>;

/** A frame with its paths made ready for all rules. */
interface MatchedFrame {
  readonly frame: Frame;
  readonly path: PathText | undefined;
  readonly filename: PathText | undefined;
}

/** The first that matches: what asks exceptions by one exception, what asks frames by one frame. */
export function findRule(rules: readonly FingerprintRule[], event: Event): FingerprintRule | undefined {
  if (rules.length === 0) return undefined;
  const exceptions = event.exception?.values ?? [];
  const messages = messagesOf(event);
  let frames: readonly MatchedFrame[] | undefined;
  return rules.find(({ ofEvent, ofExceptions, ofFrames }) => {
    if (!ofEvent.every((matcher) => eventMatches(matcher, event, messages))) return false;
    if (ofExceptions.length > 0 && !exceptions.some((one) => ofExceptions.every((matcher) => asks(matcher, one)))) {
      return false;
    }
    if (ofFrames.length === 0) return true;
    const all = (frames ??= framesOf(event).map(toMatched));
    return all.some((_, place) => ofFrames.every((matcher) => frameMatches(matcher, all, place, event.platform)));
  });
}

const pathOf = (path: string | undefined): PathText | undefined => (path === undefined ? undefined : toPathText(path));

const toMatched = (frame: Frame): MatchedFrame => ({
  frame,
  path: pathOf(frame.abs_path),
  filename: pathOf(frame.filename),
});

const asks = ({ key, test, negated }: FingerprintMatcher, { type, value }: Exception): boolean =>
  test(key === 'type' ? type : value?.trim()) !== negated;

function eventMatches(
  { key, test, testPath, negated }: FingerprintMatcher,
  event: Event,
  messages: readonly string[],
): boolean {
  if (key === 'release') return testPath(pathOf(event.release?.trim())) !== negated;
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
  { key, neighbour, negated, flag, test, testPath }: FingerprintMatcher,
  frames: readonly MatchedFrame[],
  place: number,
  platform: string,
): boolean {
  const asked = frames[neighbour === 'self' ? place : neighbour === 'caller' ? place - 1 : place + 1];
  if (!asked) return false;
  const { frame, path, filename } = asked;
  switch (key) {
    case 'app':
      return isFlag(frame.in_app, flag) !== negated;
    case 'path':
      return (testPath(path) || testPath(filename)) !== negated;
    case 'function': {
      const family = frameFamily(frame, platform);
      const name = frame.function ?? frame.symbol;
      const short = name !== undefined && family === 'native' ? shortName(name, family) : name;
      return test(short || '<unknown>') !== negated;
    }
    case 'package':
      return testPath(pathOf(frame.package)) !== negated;
    default:
      return test(frame.module) !== negated;
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
