/** A list of addresses. How mail is sent stands in `../mail/`. */
import { z } from 'zod';

export const mailAddress = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/, 'is not a mail address');

export const EmailConfig = z.object({
  to: z.array(mailAddress).min(1, 'needs at least one address').max(50, 'must have at most 50 addresses'),
});

export type EmailConfig = z.output<typeof EmailConfig>;
