/** The namespace of `stableUuid`. Other languages make the same IDs with it: `uuid.uuid5(uuid.UUID(namespace), name)`. */
export declare const uuidNamespace = "8d153034-a4aa-4e3e-aa1c-5a9b5815f11a";
/**
 * The same UUID for the same name, on every machine: for an `operationId` or a `clientMessageId` that your program can name
 * again after a crash, such as `deliver <order id>`. IDs belong to one agent, so two agents may use the same name.
 * Throws `KithInputError` for a name that is empty or not valid Unicode.
 */
export declare function stableUuid(name: string): string;
