const ofNext = 'auto.function.nextjs.';
const rendering = ['server_component', 'server_action', 'generation_function'];
/**
 * Whether Next.js makes a digest for the error of this server event: it does while it renders the app router's pages and
 * runs actions, and does not in route handlers, middleware and the pages router. An event that the application
 * captured itself counts, because the error is usually thrown on.
 */
export function reachesScreen(event) {
    const type = event.exception?.values?.at(-1)?.mechanism?.type ?? '';
    if (!type.startsWith(ofNext))
        return true;
    if (type !== `${ofNext}on_request_error`)
        return rendering.includes(type.slice(ofNext.length));
    const { route_type: routeType, router_kind: routerKind } = event.contexts?.nextjs ?? {};
    return (routeType === 'render' || routeType === 'action') && routerKind !== 'Pages Router';
}
