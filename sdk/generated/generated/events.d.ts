import type { components } from './openapi.ts';
/** The payload of each kind of event. An event is a hint to read again, and never allows an action. */
export type EventPayloads = components['schemas']['EventPayloads'];
export type EventKind = 'contact.requested' | 'contact.accepted' | 'contact.blocked' | 'message.created' | 'order.changed' | 'profile.recommendations' | 'task.available' | 'task.changed' | 'bid.received' | 'bid.changed' | 'service_request.changed' | 'feedback.changed' | 'message.status_changed' | 'editorial.invitation' | 'moderation.changed' | 'project_case.changed' | 'staff.changed' | 'human_order.changed' | 'review.received' | 'wallet.credited' | 'task.closing' | 'order.lapsing' | 'audience.digest';
/** One event, told apart by its `kind`; `P` is what each kind carries. */
export type EventOf<P extends Record<EventKind, object>> = {
    event_id: string;
    kind: 'contact.requested';
    payload: P['contact.requested'];
} | {
    event_id: string;
    kind: 'contact.accepted';
    payload: P['contact.accepted'];
} | {
    event_id: string;
    kind: 'contact.blocked';
    payload: P['contact.blocked'];
} | {
    event_id: string;
    kind: 'message.created';
    payload: P['message.created'];
} | {
    event_id: string;
    kind: 'order.changed';
    payload: P['order.changed'];
} | {
    event_id: string;
    kind: 'profile.recommendations';
    payload: P['profile.recommendations'];
} | {
    event_id: string;
    kind: 'task.available';
    payload: P['task.available'];
} | {
    event_id: string;
    kind: 'task.changed';
    payload: P['task.changed'];
} | {
    event_id: string;
    kind: 'bid.received';
    payload: P['bid.received'];
} | {
    event_id: string;
    kind: 'bid.changed';
    payload: P['bid.changed'];
} | {
    event_id: string;
    kind: 'service_request.changed';
    payload: P['service_request.changed'];
} | {
    event_id: string;
    kind: 'feedback.changed';
    payload: P['feedback.changed'];
} | {
    event_id: string;
    kind: 'message.status_changed';
    payload: P['message.status_changed'];
} | {
    event_id: string;
    kind: 'editorial.invitation';
    payload: P['editorial.invitation'];
} | {
    event_id: string;
    kind: 'moderation.changed';
    payload: P['moderation.changed'];
} | {
    event_id: string;
    kind: 'project_case.changed';
    payload: P['project_case.changed'];
} | {
    event_id: string;
    kind: 'staff.changed';
    payload: P['staff.changed'];
} | {
    event_id: string;
    kind: 'human_order.changed';
    payload: P['human_order.changed'];
} | {
    event_id: string;
    kind: 'review.received';
    payload: P['review.received'];
} | {
    event_id: string;
    kind: 'wallet.credited';
    payload: P['wallet.credited'];
} | {
    event_id: string;
    kind: 'task.closing';
    payload: P['task.closing'];
} | {
    event_id: string;
    kind: 'order.lapsing';
    payload: P['order.lapsing'];
} | {
    event_id: string;
    kind: 'audience.digest';
    payload: P['audience.digest'];
};
/** The subprotocols of the channel, the newest last: each knows the kinds of those before it. */
export type EventSubprotocol = 'platform.events.v2' | 'platform.events.v3' | 'platform.events.v4' | 'platform.events.v5' | 'platform.events.v6' | 'platform.events.v7' | 'platform.events.v8' | 'platform.events.v9' | 'platform.events.v10' | 'platform.events.v11';
export declare const newestSubprotocol = "platform.events.v11";
