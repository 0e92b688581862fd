import type { Call } from './http.ts';
import type { Tokens } from './tokens.ts';
/** A transport that adds the token. Throws `KithTokenLostError` when the service refuses the stored one. */
export declare function createSession<T>(transport: (call: Call) => Promise<T>, tokens: Tokens, handle: string | undefined): (call: Call) => Promise<T>;
