/** What of a provider is checked whatever its kind. */
import { z } from 'zod';
import { invalid } from '../../base/texts/validation.ts';
import { roles } from '../accounts/index.ts';
import { providerInputs } from '../../base/texts/providers.ts';

/** Anybody can have an address there, so it says nothing about belonging to an organisation. */
const publicDomains: ReadonlySet<string> = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com ' +
    'me.com mac.com aol.com proton.me protonmail.com pm.me tutanota.com zoho.com gmx.com gmx.de gmx.net ' +
    'web.de mail.com mail.ru yandex.com yandex.ru fastmail.com qq.com 163.com 126.com naver.com ' +
    'users.noreply.github.com privaterelay.appleid.com'
  ).split(' '),
);

const isDomain = (value: string): boolean =>
  value.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(value);

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .refine(isDomain, providerInputs.domain)
  .refine((value) => !publicDomains.has(value), providerInputs.publicDomain);

/** Becoming an owner is never what happens to everybody. */
export const defaultRoles = roles.filter((role) => role !== 'owner');

const mapping = z
  .object({
    value: z.string().trim().min(1, invalid.empty).max(300, invalid.atMost(300)),
    role: z.enum(roles).nullable(),
    teamId: z.int().positive().nullable(),
  })
  .refine(({ role, teamId }) => role !== null || teamId !== null, providerInputs.mapping);

export const providerFields = z.object({
  name: z.string().trim().min(1, invalid.empty).max(60, invalid.atMost(60)),
  domains: z
    .array(domain)
    .max(50)
    .transform((all) => [...new Set(all)]),
  enabled: z.boolean(),
  joins: z.boolean(),
  defaultRole: z.enum(defaultRoles),
  mapping: z.array(mapping).max(200),
});
