/** A list of addresses. How mail is sent stands in `../mail/`. */
import { z } from 'zod';
import { channels as texts } from '../../../base/texts/outbound.ts';

export const mailAddress = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/, texts.address);

export const EmailConfig = z.object({
  to: z.array(mailAddress).min(1, texts.noAddress).max(50, texts.tooManyAddresses(50)),
});

export type EmailConfig = z.output<typeof EmailConfig>;
