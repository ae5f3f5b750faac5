import { z } from 'zod';
import { isScope } from './scopes.ts';
import type { Scope } from './scopes.ts';

const email = z
  .string()
  .trim()
  .max(254, 'must have at most 254 characters')
  .pipe(z.email('must be an email address'))
  .transform((value) => value.toLowerCase());

const password = z.string().min(8, 'must have at least 8 characters').max(128, 'must have at most 128 characters');

const name = (most: number) =>
  z.string().trim().min(1, 'must not be empty').max(most, `must have at most ${most} characters`);

export const newUser = z.object({ email, password, name: name(100).optional() });

export const newSetUp = newUser.extend({ organization: name(64), project: name(64), platform: z.string().optional() });

export const newPassword = z.object({ email, password });

export const newToken = z.object({
  name: name(100),
  scopes: z
    .array(z.custom<Scope>((value) => typeof value === 'string' && isScope(value), 'must be scopes such as event:read'))
    .min(1, 'must name at least one scope')
    .max(100),
});
