/**
 * One digest in both events of a Next.js failure: the browser's and the server's. Knows no SDK and no React, so that it
 * works with any version of `@sentry/nextjs` and in every runtime of Next.js.
 */
import { computeDigest, digestFor, linkDigest as tagDigest } from '@culprit/react/digest';
import { reachesScreen } from './reaches-screen.js';
/**
 * `beforeSend` of every `Sentry.init`: the digest on the person's screen becomes the tag `digest` of the event, which is
 * returned. In the browser the error has it already. On the server the SDK may take the event before Next.js makes the
 * digest; then it is made here, the same way, and Next.js keeps what it finds on the error.
 */
export function linkDigest(event, hint) {
    const thrown = hint?.originalException;
    if (typeof window !== 'undefined' || !reachesScreen(event))
        return tagDigest(event, hint);
    if (typeof thrown === 'string')
        return tagDigest(event, { originalException: { digest: computeDigest(thrown) } });
    if (lacksDigest(thrown))
        digestFor(thrown);
    return tagDigest(event, hint);
}
/** Next.js hashes what looks like an error; its signals (redirect, not found) have a digest of another kind. */
function lacksDigest(thrown) {
    if (typeof thrown !== 'object' || thrown === null)
        return false;
    return 'name' in thrown && 'message' in thrown && !('digest' in thrown && thrown.digest);
}
