export interface Holder {
    /** Where the process id means something: host, boot and, on Linux, the namespace of process ids. */
    place: string;
    pid: number;
    /** Start of the process in clock ticks since boot; empty if the system does not tell. */
    started: string;
}
/** This process. */
export declare function currentHolder(): Promise<Holder>;
/** Whether the holder lives; undefined when it is of another place, where this process cannot look. */
export declare function isAlive(holder: Holder): Promise<boolean | undefined>;
