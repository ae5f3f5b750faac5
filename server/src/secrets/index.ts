export { type Box, type BoxSetup, isSealed, openBox, sealedOverhead, type Unopened } from './box.ts';
export { openSecrets, type Secrets, secretsOf, shortestSecret } from './secrets.ts';
