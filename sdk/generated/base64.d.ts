/** Bytes as canonical base64. */
export declare function toBase64(bytes: Uint8Array): string;
/** Bytes of canonical base64; throws `KithBoxError` `bad_base64` for every other spelling of the same bytes. */
export declare function fromBase64(text: string): Uint8Array;
