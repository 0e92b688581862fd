export { checkPublicKey, checkText, fingerprint, generateKeyPair, keyPairOf, open, seal } from './box.ts';
export * from './core.ts';
export { stableUuid, uuidNamespace } from './stable-uuid.ts';
