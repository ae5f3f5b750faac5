/**
 * Errors of what people have added to their browsers: extensions, and scripts that apps and providers put into pages.
 * They reach the page's own error handler, and nobody who wrote the page can repair them.
 */
import type { Event, Exception, Frame } from '../event.ts';
import { asText } from '../json.ts';

const schemes = /^(?:chrome-extension|moz-extension|safari-(?:web-)?extension|ms-browser-extension):\/\//;
/** Where Safari stands for an extension whose address it hides, and what security programs load from their own machine. */
const otherSources =
  /^(?:webkit-masked-url:\/\/|https?:\/\/(?:[a-z0-9-]+\.)*(?:kis\.v2\.scr\.kaspersky-labs|me\.kis\.v2\.scr\.kaspersky-labs)\.com\/)/;

/** Said by browsers to extensions alone, or by scripts that only apps and tool bars put into pages. */
const messages =
  /^(?:Error: )?(?:Extension context invalidated\b|Could not establish connection\. Receiving end does not exist|The message port closed before a response was received|A listener indicated an asynchronous response by returning true, but the message channel closed|Attempting to use a disconnected port object|Invalid call to runtime\.sendMessage\(\)|Could not load (?:background|content) script)|Object Not Found Matching Id:\d+, MethodName:\w+, ParamCount:\d+|\b(?:__gCrWeb|_AutofillCallbackHandler|instantSearchSDKJSBridgeClearHighlight|__firefox__\.\w+|zaloJSV2|MyApp_RemoveAllHighlights|originalCreateNotification|bmi_SafeAddOnload|EBCallBackMessageReceived|conduitPage|atomicFindClose|fb_xd_fragment|ceCurrentVideo|gmo is not defined|SCDynimacBridge|swbrowser is not defined|xbrowser is not defined|mraid is not defined)\b/;

/** What browsers say of a request that failed: it was the page's, whoever stands around `fetch`. */
const failedRequest =
  /^(?:Failed to fetch|Load failed|NetworkError|Network request failed|The operation was aborted|cancelled)/i;

/** Longer ones are no such message. */
const maxMessage = 500;

export const isOfExtension = (url: string): boolean => schemes.test(url) || otherSources.test(url);

export function ofBrowserExtension(event: Event): boolean {
  if (event.csp) return isOfExtensionReport(event);
  if (event.platform !== 'javascript') return false;
  // A page of an extension is somebody's application.
  if (event.request?.url !== undefined && schemes.test(event.request.url)) return false;
  const thrown = event.exception?.values.at(-1);
  if (!thrown) return false;
  return isMessage(thrown) || isThrownByExtension(thrown);
}

const isMessage = ({ type = '', value = '' }: Exception): boolean =>
  value !== '' && value.length <= maxMessage && (messages.test(value) || messages.test(`${type}: ${value}`));

function isThrownByExtension({ value = '', stacktrace }: Exception): boolean {
  const frames = stacktrace?.frames ?? [];
  let index = frames.length - 1;
  while (index >= 0 && addressOf(frames[index]) === '') index--;
  if (index < 0 || !isOfExtension(addressOf(frames[index]))) return false;
  if (!failedRequest.test(value)) return true;
  return frames.every((frame) => {
    const address = addressOf(frame);
    return address === '' || isOfExtension(address);
  });
}

/** '' where a frame says of no file where it lies. */
function addressOf(frame: Frame | undefined): string {
  const address = frame?.abs_path ?? frame?.filename ?? '';
  return address === '<anonymous>' || address === '[native code]' ? '' : address;
}

function isOfExtensionReport({ csp }: Event): boolean {
  const places = [csp?.blocked_uri, csp?.source_file, csp?.document_uri].map((value) => asText(value) ?? '');
  // Browsers cut reports of extensions down to the scheme.
  return places.some((place) => isOfExtension(place) || isOfExtension(`${place}://`));
}
