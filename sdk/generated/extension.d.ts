export declare const extensionOf: ({ mime_type }: {
    mime_type: string;
}) => string;
