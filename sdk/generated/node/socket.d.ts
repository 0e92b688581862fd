import type { Connect } from '../receiver.ts';
/** Opens one connection, answers pings, and ends it when the service is silent for `silenceMs`. */
export declare const connectSocket: Connect;
