export * from './identity.ts';
export * from './index.ts';
