/**
 * `beforeSend` of every `Sentry.init`: the digest on the person's screen becomes the tag `digest` of the event, which is
 * returned. In the browser the error has it already. On the server the SDK may take the event before Next.js makes the
 * digest; then it is made here, the same way, and Next.js keeps what it finds on the error.
 */
export declare function linkDigest<E extends object>(event: E, hint?: {
    readonly originalException?: unknown;
}): E;
