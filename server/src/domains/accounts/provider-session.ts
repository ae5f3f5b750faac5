/** A session for whom a provider vouched: by better-auth itself, so that cookies, hashes and hooks are those of any other. */
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import { providerSessionPath } from './factors/way.ts';

export const providerSession = {
  id: 'provider-session',
  endpoints: {
    openProviderSession: createAuthEndpoint(
      providerSessionPath,
      {
        method: 'POST',
        body: z.object({ userId: z.string(), secondFactor: z.boolean() }),
        requireHeaders: true,
        metadata: { SERVER_ONLY: true },
      },
      async (call) => {
        const { internalAdapter } = call.context;
        const user = await internalAdapter.findUserById(call.body.userId);
        if (!user) throw new Error('no user to open a session for');
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(call, { session, user });
        return call.json({ sessionId: session.id });
      },
    ),
  },
} as const;
