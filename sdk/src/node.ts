// @kith/sdk/node: an identity in a folder, and the durable event receiver.
export * from './identity.ts'
export * from './index.ts'
