import { z } from 'zod';
import { tokens } from '../../base/texts/accounts.ts';
import { isScope } from './scopes.ts';
import type { Scope } from './scopes.ts';
import { invalid } from '../../base/texts/validation.ts';

export const email = z
  .string()
  .trim()
  .max(254, invalid.atMost(254))
  .pipe(z.email(invalid.email))
  .transform((value) => value.toLowerCase());

export const password = z.string().min(8, invalid.atLeast(8)).max(128, invalid.atMost(128));

const name = (most: number) => z.string().trim().min(1, invalid.empty).max(most, invalid.atMost(most));

export const newUser = z.object({ email, password, name: name(100).optional() });

export const newSetUp = newUser.extend({ organization: name(64), project: name(64), platform: z.string().optional() });

export const newOrganization = z.object({ name: name(64) });

export const newPassword = z.object({ email, password });

export const newServiceAccount = z.object({ name: name(100) });

export const newToken = z.object({
  name: name(100),
  scopes: z
    .array(z.custom<Scope>((value) => typeof value === 'string' && isScope(value), tokens.scope))
    .min(1, tokens.noScope)
    .max(100),
});
