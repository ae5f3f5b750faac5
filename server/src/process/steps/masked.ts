/** Texts that stand in a browser for an error of the server, whose own words stay on the server. */

/**
 * React's text for a failed server component or server function, whole up to Next.js 16.1 and as error 441 of a
 * minified build after it; React Router's and Remix's text for a failed loader or action.
 */
const masked =
  /^(?:Uncaught )?(?:Error: )?(?:An error occurred in the Server Components render\b|Minified React error #441\b|Unexpected Server Error$)/;

/** React gave up what the server had begun, because it failed there, and rendered it in the browser. */
const recovered =
  /^(?:Uncaught )?(?:Error: )?(?:The server could not finish this Suspense boundary\b|Minified React error #419\b)/;

/** Whether a message says nothing but that the server failed. */
export const isMasked = (text: string): boolean => masked.test(text);

/** Whether a message tells of a failed render on the server from which the page has recovered. */
export const isRecovered = (text: string): boolean => recovered.test(text);
