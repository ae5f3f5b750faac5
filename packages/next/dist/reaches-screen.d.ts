/** The parts of an SDK's event that tell what Next.js does with the error. */
export interface SentEvent {
    readonly exception?: {
        readonly values?: readonly {
            readonly mechanism?: {
                readonly type?: string;
            };
        }[];
    };
    readonly contexts?: {
        readonly nextjs?: {
            readonly route_type?: unknown;
            readonly router_kind?: unknown;
        };
    };
}
/**
 * Whether Next.js makes a digest for the error of this server event: it does while it renders the app router's pages and
 * runs actions, and does not in route handlers, middleware and the pages router. An event that the application
 * captured itself counts, because the error is usually thrown on.
 */
export declare function reachesScreen(event: SentEvent): boolean;
