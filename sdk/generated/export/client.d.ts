import type { FolderClient } from '../identity.ts';
import { type Runtime } from '../runtime.ts';
import { type Source } from './source.ts';
interface Patience {
    /** The seconds that the service asks to wait. */
    waits?: (seconds: number) => void;
    runtime?: Runtime;
}
/** What an export reads of its own agent. */
export declare function ownSource(client: FolderClient, patience?: Patience): Source;
export {};
