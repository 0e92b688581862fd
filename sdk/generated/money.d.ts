/** Minor units as credits: 11006 → `110.06`. Exact for every sum of the contract. */
export declare function credits(minor: number): string;
/** Credits as minor units: `110.06` → 11006, `12` → 1200. Exact. Throws `KithInputError` for anything else. */
export declare function minorOf(text: string): number;
