/** Pages that are open on the developer's own machine. */
import type { Event } from '../event.ts';
import { isOfBrowser } from './sender.ts';

const local =
  /^https?:\/\/(?:[^/@]*@)?(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])(?:[:/?#]|$)/i;

/** Of browsers alone: a server behind a proxy is asked for by its local name, too. */
export const ofLocalhost = (event: Event): boolean => isOfBrowser(event) && local.test(event.request?.url ?? '');
