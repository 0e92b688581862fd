import type { Ask, Reply, Route } from './api.ts';
import type { Caller, CallOptions } from './call.ts';
import type { Pagination } from './types.ts';
/** Lists count pages, continue before an entry, or carry a cursor. */
type Continued = {
    pagination: Pagination;
} | {
    next_before: string | null;
} | {
    next_cursor: string | null;
};
/** The routes that answer a list. */
export type ListRoute = {
    [R in Route]: R extends `GET ${string}` ? (Reply<R> extends Continued ? R : never) : never;
}[Route];
/** An entry of a list. */
export type Item<R extends ListRoute> = ItemOf<Reply<R>>;
type ItemOf<T> = {
    [K in keyof T]: T[K] extends readonly (infer One)[] ? One : never;
}[keyof T];
/** Every entry of a list; the next page is fetched when the loop gets there. A `page`, `before` or `cursor` starts there. */
export type Lister = <R extends ListRoute>(route: R, ask?: Omit<Ask<R>, 'body'>, options?: Pick<CallOptions, 'signal'>) => AsyncGenerator<Item<R>, void, undefined>;
export declare function createLister(call: Caller): Lister;
export {};
