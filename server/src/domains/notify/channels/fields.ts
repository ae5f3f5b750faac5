/** Parts of configurations that several kinds have. */
import { z } from 'zod';
import { OutboundError, readTarget } from '../../../base/outbound/index.ts';
import { invalid } from '../../../base/texts/validation.ts';
import { channels as texts } from '../../../base/texts/outbound.ts';

/** An address to post to. Where it leads is checked whenever it is called. */
export const webAddress = z
  .string()
  .trim()
  .min(1, invalid.required)
  .max(2000)
  .superRefine((text, context) => {
    try {
      readTarget(text);
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: error instanceof OutboundError ? error.message : invalid.unreadable,
      });
    }
  });

/** A token or key: goes into a header or a path, so it is one word. */
export const secretWord = z
  .string()
  .trim()
  .min(1, invalid.required)
  .max(500)
  .regex(/^[\x21-\x7e]+$/, texts.characters);

/** Where somebody runs the service themselves, or in another region. */
export const serviceAddress = (usual: string) =>
  webAddress.default(usual).transform((text) => text.replace(/\/+$/, ''));
