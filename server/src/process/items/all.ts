/** The types of items: what lies beside this file. Written by scripts/lists.ts. */
import { types as clientReport } from './client-report/index.ts';
import { types as event } from './event/index.ts';
import { types as log } from './log/index.ts';
import { types as otlp } from './otlp/index.ts';
import { types as security } from './security/index.ts';
import { types as session } from './session/index.ts';
import { types as span } from './span/index.ts';
import { types as transaction } from './transaction/index.ts';
import type { ItemTypes } from './item-types.ts';

export const types: ItemTypes = {
  ...clientReport,
  ...event,
  ...log,
  ...otlp,
  ...security,
  ...session,
  ...span,
  ...transaction,
};
