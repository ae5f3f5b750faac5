import { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { checked } from '../projects/index.ts';
import { invalid } from '../../base/texts/validation.ts';
import { signIn } from '../../base/texts/accounts.ts';

const signInBody = z.object({
  email: z.string().max(254, invalid.atMost(254)),
  password: z.string().max(128, invalid.atMost(128)),
  rememberMe: z.boolean().optional(),
});

/** Throws where it is none. */
export async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new CodedError('INPUT_INVALID', [signIn.json]);
  }
  return request.json().catch(() => undefined);
}

/**
 * What somebody signs in with. Read here and handed on as what was understood, so that the account whose wrong passwords
 * are counted is the one whose password is checked.
 */
export async function readSignIn(request: Request): Promise<z.output<typeof signInBody>> {
  return checked(signInBody, await readJson(request));
}
