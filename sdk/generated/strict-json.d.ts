export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = {
    [key: string]: Json;
};
/**
 * The value of a JSON text; undefined if it has no value, or if readers may differ about it: a key repeated in an object, a number
 * beyond those of JavaScript, a lone surrogate, nesting deeper than 16.
 */
export declare function readStrictly(text: string): Json | undefined;
/** Whether a value has nothing that readers differ about. */
export declare const isPlain: (value: Json) => boolean;
/** Canonical JSON (RFC 8785): keys sorted by their UTF-16 units, no white space, numbers and strings as ECMAScript writes them. */
export declare function canonicalJson(value: Json): string;
export declare const isObject: (value: unknown) => value is JsonObject;
