/**
 * What better-auth alone can do with its cookies and sessions: tell who has given their password and must give a code
 * next, and begin a session for who came by a link of the host. Neither has an address.
 */
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import { recoveryWay } from '../own/demands.ts';

/** As its plugin for second factors names it. */
const cookieName = 'two_factor';

export const challenges = {
  id: 'culprit-challenges',
  endpoints: {
    challengedUser: createAuthEndpoint.serverOnly({ method: 'POST' }, async (call): Promise<string | null> => {
      const { name } = call.context.createAuthCookie(cookieName);
      const identifier = await call.getSignedCookie(name, call.context.secret);
      if (!identifier) return null;
      const found = await call.context.internalAdapter.findVerificationValue(identifier);
      return found && new Date(found.expiresAt).getTime() > Date.now() ? found.value : null;
    }),
    recoveredSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ userId: z.string() }) },
      async (call): Promise<void> => {
        const { internalAdapter } = call.context;
        const user = await internalAdapter.findUserById(call.body.userId);
        if (!user) throw new Error('the user of a recovery link is gone');
        const way = { way: recoveryWay, secondFactor: false };
        const session = await internalAdapter.createSession(user.id, false, way);
        await setSessionCookie(call, { session, user });
      },
    ),
  },
} satisfies BetterAuthPlugin;
