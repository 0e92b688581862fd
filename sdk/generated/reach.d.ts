import { KithError, KithNetworkError } from './errors.ts';
/** No complete answer to a request: the first of the reasons that is found, or none. */
export declare function noAnswer({ origin, request, seconds }: {
    origin: string;
    request: string;
    seconds: number;
}, cause: unknown): KithNetworkError;
/** Why a socket could not be opened, in the words of a request. */
export declare const unreachable: (origin: string, cause: unknown) => KithNetworkError;
/** A success that is not the service's comes from something in between: whether the service acted is unknown. */
export declare const foreignSuccess: (origin: string, response: Response) => KithNetworkError;
/** Whether something in between refused: whether the service acted, or takes the token, is unknown. */
export declare const isForeign: (error: unknown) => boolean;
/** A refusal that is not the service's, by what it comes with. */
export declare function foreignRefusal(origin: string, response: Response, facts: {
    requestId: string | undefined;
    retryAfter: number | undefined;
}): KithError;
