import type { Clock } from './clock.ts';
import type { Runtime } from './runtime.ts';
export interface Call {
    method: string;
    /** Below /api/v1, with its leading slash. */
    path: string;
    query?: Record<string, string | number | boolean | undefined> | undefined;
    /** The exact JSON text to send; without it and without `form` the request has no body. */
    body?: string | undefined;
    /** Bytes to send instead of JSON. */
    form?: Form | undefined;
    /** More headers, such as those of a range. */
    headers?: Record<string, string> | undefined;
    token?: string | undefined;
    signal?: AbortSignal | undefined;
    /** As in `TransportOptions`, where the usual wait does not fit. */
    timeoutMs?: number | undefined;
}
/** A body of bytes: their type, their exact number, and the same bytes for every attempt. */
export interface Form {
    type: string;
    length: number;
    open(): Blob | ReadableStream<Uint8Array>;
}
export interface Answer<T = unknown> {
    status: number;
    body: T;
    requestId: string | undefined;
}
export type Transport = (call: Call) => Promise<Answer>;
export interface TransportOptions {
    /** The service's origin. */
    baseUrl: string;
    runtime: Runtime;
    /** Learns the service's time from each response. */
    clock?: Clock;
    /** Longest wait for a complete answer, in ms; each 4 KiB of it that came earn a second more, for slow links, up to a minute. */
    timeoutMs?: number | undefined;
    /** Most bytes of an answer that are read. */
    maxAnswerBytes?: number | undefined;
    /** What all paths are below, `/api/v1` if it is not said. */
    below?: string;
}
/**
 * The origin of a service: `https:`, or `http:` on loopback for tunnels (docs/contract/representation.md#transport).
 * Throws `KithInputError` for anything else, credentials and paths included, so that a token never travels in the
 * clear.
 */
export declare function checkBaseUrl(baseUrl: string): string;
/** A transport to one origin. It never follows a redirect: the token would travel along. */
export declare function createTransport(options: TransportOptions): Transport;
/** What is left of a wait, in ms, once so many bytes came: a slow link is no silence, and a drip is no answer. */
export declare const leftAfter: (left: number, bytes: number, waitMs: number) => number;
/** An answer of bytes. Whoever does not read `chunks` to the end calls `cancel`. */
export interface Bytes {
    status: number;
    headers: Headers;
    /** Throws `KithNetworkError` where they break off, or nothing comes for as long as the time-out. */
    chunks: AsyncIterable<Uint8Array>;
    cancel(): void;
}
export type ByteTransport = (call: Call) => Promise<Bytes>;
/** A transport whose answers are bytes of any number; `timeoutMs` is the longest silence. Refusals are `KithError`. */
export declare function createByteTransport(options: TransportOptions): ByteTransport;
/** Whole seconds of a numeric `Retry-After`; undefined if there is none (a date is not of this contract). */
export declare function seconds(header: string | null | undefined): number | undefined;
