export interface Totals {
    files: number;
    bytes: number;
}
/** Lists what is in the folder: the last file that is written. */
export declare function writeManifest(folder: string): Promise<void>;
export declare function totalsOf(folder: string): Promise<Totals>;
export interface Checked extends Totals {
    /** Neither missing nor changed files. */
    isWhole: boolean;
    /** Paths of the manifest. */
    missing: string[];
    changed: string[];
    /** What is in the folder and not in the manifest, up to a thousand. */
    unlisted: string[];
}
/** Compares a folder with its manifest. Reads nothing outside the folder, and follows no link. */
export declare function checkExport(given: string): Promise<Checked>;
