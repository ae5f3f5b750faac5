/**
 * Scrubs a text that is too large to be held, piece by piece, whatever the rules are.
 *
 * A piece may only end where no secret can be cut in two. That is tried: a place is good when both sides scrubbed by
 * themselves give what they give together, with so much text behind the place that no rule reaches further.
 */
import { maxSecretLength } from '../../steps/scrub/index.ts';

export type Scrub = (text: string) => string;

/** Characters. No rule looks further ahead. */
const aheadLength = 4 * maxSecretLength;
/** At a time. */
export const pieceLength = 256 * 1024;
/** Without a good place until here, what was gathered is not kept: a secret runs through all of it. */
const longestWindow = 2 * 1024 * 1024;
const tries = 8;
const stepLength = 4 * 1024;

export const removedStretch = '[Filtered]';

export function* scrubStream(pieces: Iterable<string>, scrub: Scrub): Generator<string, void, void> {
  let window = '';
  for (const piece of pieces) {
    window += piece;
    if (window.length < pieceLength + aheadLength) continue;
    const cut = goodPlace(window, scrub);
    if (cut) {
      yield cut.safe;
      window = window.slice(cut.at);
    } else if (window.length > longestWindow) {
      yield removedStretch;
      window = window.slice(-aheadLength);
    }
  }
  yield scrub(window);
}

function goodPlace(window: string, scrub: Scrub): { readonly at: number; readonly safe: string } | undefined {
  const whole = scrub(window);
  for (const at of places(window)) {
    const safe = scrub(window.slice(0, at));
    if (whole.startsWith(safe) && whole.slice(safe.length) === scrub(window.slice(at))) return { at, safe };
  }
  return undefined;
}

/** Ends of lines where there are any, from the end on. */
function* places(window: string): Generator<number> {
  let latest = window.length - aheadLength;
  for (let count = 0; count < tries && latest > 0; count++) {
    const lineEnd = window.lastIndexOf('\n', latest - 1) + 1;
    const at = lineEnd > latest - stepLength && lineEnd > 0 ? lineEnd : wholeCharacter(window, latest);
    if (at > 0) yield at;
    latest = at - stepLength;
  }
}

/** Not between the halves of a character that has two. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
