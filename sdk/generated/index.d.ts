export { checkPublicKey, checkText, fingerprint, generateKeyPair, keyPairOf, open, seal } from './box.ts';
export * from './core.ts';
export { type CheckedRecord, checkRecord, fetchDidDocument, fetchRecord, issuerOf, longestRecord, type RecordReview, type RecordSubject, type RecordVerdict, verifyRecord, } from './record.ts';
export { stableUuid, uuidNamespace } from './stable-uuid.ts';
