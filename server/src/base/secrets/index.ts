export { type Box, type BoxSetup, isSealed, openBox, sealedLength, sealedOverhead, type Unopened } from './box.ts';
export {
  findSecrets,
  openSecrets,
  readKeyText,
  type Secrets,
  type SecretsOptions,
  secretsOf,
  shortestSecret,
} from './secrets.ts';
export { bareText, isSealedText, type TextBox, textBox } from './text.ts';
