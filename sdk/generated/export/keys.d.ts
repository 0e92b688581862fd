/** The files of an identity's folder that make it what it is: with them a new folder is the same identity. */
export declare const keyFiles: readonly ['passport.json', 'token', 'key', 'pins.json'];
export type KeyFiles = Partial<Record<(typeof keyFiles)[number], string>>;
export declare function sealKeys(files: KeyFiles, passphrase: string): Promise<string>;
/** The files again. Throws an `Error` for another passphrase or a changed file, which look the same. */
export declare function openKeys(text: string, passphrase: string): Promise<KeyFiles>;
