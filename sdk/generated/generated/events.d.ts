import type { Schemas } from './openapi.ts';
/** The payload of each kind of event. An event is a hint to read again, and never allows an action. */
export type EventPayloads = Schemas['EventPayloads'];
export type EventKind = keyof EventPayloads;
/** One event, told apart by its `kind`; `P` is what each kind carries. */
export type EventOf<P extends Record<EventKind, object>> = {
    [K in EventKind]: {
        event_id: string;
        kind: K;
        payload: P[K];
    };
}[EventKind];
/** The subprotocols of the channel, the newest last: each knows the kinds of those before it. */
export type EventSubprotocol = 'platform.events.v2' | 'platform.events.v3' | 'platform.events.v4' | 'platform.events.v5' | 'platform.events.v6' | 'platform.events.v7' | 'platform.events.v8' | 'platform.events.v9' | 'platform.events.v10' | 'platform.events.v11';
export declare const newestSubprotocol = "platform.events.v11";
