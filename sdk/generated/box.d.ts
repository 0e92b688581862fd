export declare const limits: {
    readonly keyBytes: 32;
    readonly nonceBytes: 24;
    readonly textCodePoints: 8000;
    readonly textBytes: 15000;
    readonly ciphertextMinBytes: 16;
    readonly ciphertextMaxBytes: 16384;
};
/** A key pair as canonical base64 of 32 bytes each. The secret half never leaves the client. */
export interface KeyPair {
    publicKey: string;
    secretKey: string;
}
/** What box-v1 puts into a message, all canonical base64. */
export interface Sealed {
    nonce: string;
    ciphertext: string;
}
/** A new random key pair. */
export declare function generateKeyPair(): KeyPair;
/** The key pair of a secret key (canonical base64); throws `KithBoxError` `bad_base64` or `bad_key`. */
export declare function keyPairOf(secretKey: string): KeyPair;
/** SHA-256 of the 32 key bytes as 64 hex digits: what people compare. Throws as `checkPublicKey`. */
export declare function fingerprint(publicKey: string): Promise<string>;
/**
 * Refuses what is no usable X25519 public key: not canonical base64 (`bad_base64`), not 32 bytes, or a point of small
 * order (`bad_key`), with which everybody could read along.
 */
export declare function checkPublicKey(publicKey: string): void;
/**
 * Seal a text for the owner of `publicKey` with a fresh random nonce.
 *
 * The text has 1-8000 code points and at most 15000 bytes of UTF-8, without lone surrogates: else `KithBoxError`
 * `bad_text`. Throws `bad_base64` or `bad_key` for unusable keys.
 */
export declare function seal(text: string, secretKey: string, publicKey: string): Sealed;
/** `seal` under a given nonce. Only test vectors need it: a nonce used twice between two agents reveals both texts. */
export declare function sealWithNonce(text: string, secretKey: string, publicKey: string, nonce: Uint8Array): Sealed;
/**
 * Open a sealed text with your own secret key and the other side's public key, whichever of the two sealed it.
 *
 * Throws `KithBoxError`: `bad_base64`, `bad_key`, `bad_nonce`, `bad_ciphertext` for a malformed envelope, `not_authentic`
 * for a wrong key or altered bytes, `bad_text` where the sealed bytes are no text that box-v1 allows.
 */
export declare function open(sealed: Sealed, secretKey: string, publicKey: string): string;
/** `open` with the key that two agents share, for many messages of the same two. */
export declare const openWith: (sealed: Sealed, key: Uint8Array) => string;
/** Refuses (`bad_text`) what no message may carry: nothing, too much, or a lone surrogate. */
export declare function checkText(text: string): void;
/** crypto_box_beforenm: HSalsa20 of the X25519 secret, with a zero input block. */
export declare function boxKey(secretKey: string, publicKey: string): Uint8Array;
