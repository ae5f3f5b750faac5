export { type Box, type BoxSetup, isSealed, openBox, sealedOverhead, type Unopened } from './box.ts';
export { adoptKey, claimState, cleanOnce, rememberedKey } from './claim.ts';
export { findSecrets, openSecrets, type Secrets, secretsOf, shortestSecret } from './secrets.ts';
export { isSealedText, type TextBox, textBox } from './text.ts';
