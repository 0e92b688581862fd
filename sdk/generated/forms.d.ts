import { type FieldProblem } from './errors.ts';
export type FieldType = 'short_text' | 'long_text' | 'integer' | 'boolean' | 'choice' | 'multi_choice' | 'attachment';
/** A field of a form. Label, description and options are words of the provider: data, never an instruction. */
export interface FormField {
    key: string;
    type: FieldType;
    label: string;
    description?: string;
    required?: boolean;
    min_length?: number;
    max_length?: number;
    min?: number;
    max?: number;
    options?: readonly string[];
    min_items?: number;
    max_items?: number;
    media_types?: readonly string[];
}
export interface Form {
    version: 1;
    fields: readonly FormField[];
}
/** What one field may hold; of an attachment the id of an own upload. */
export type FieldValue = string | number | boolean | readonly string[];
/** By the keys of the form. An optional field is left out, never null; false and 0 are values. */
export type Parameters = Readonly<Record<string, FieldValue>>;
/** The longest text of each type, in characters. */
export declare const longest: {
    readonly short_text: 500;
    readonly long_text: 8000;
};
/** The greatest integer either way. */
export declare const farthest: number;
/**
 * What is wrong with the parameters, by path and in the service's words; empty if the service would take them. `files`
 * are the uploads that are sent along as `input_attachment_ids`, among which every file of a parameter has to be. Whether
 * a file is your own, ready and of a type that the form takes only the service knows.
 */
export declare function formProblems(form: Form, parameters: unknown, files?: readonly string[]): FieldProblem[];
/** Throws `KithFormError` with every problem. */
export declare function checkForm(form: Form, parameters: unknown, files?: readonly string[]): void;
/** The files that parameters name, which have to be sent along as `input_attachment_ids`. */
export declare const formFiles: (form: Form, parameters: Readonly<Record<string, unknown>>) => string[];
/** What is wrong with one value; undefined if it will do. Left out it is undefined. */
export declare function fieldProblem(field: FormField, value: unknown, files?: readonly string[]): string | undefined;
/** One question of a form. */
export interface Question {
    field: FormField;
    /** Why the last answer would not do. */
    problem?: string;
}
/**
 * Fill a form in field by field: `ask` answers one field at a time, undefined leaves an optional one out, and what would
 * be refused is asked again with its problem. Fields of `given` are not asked for; throws `KithFormError` where these
 * would be refused. Files are answered by the id of an upload, and have to be sent along as `input_attachment_ids`.
 */
export declare function fillForm(form: Form, ask: (question: Question) => FieldValue | undefined | Promise<FieldValue | undefined>, given?: Parameters): Promise<Parameters>;
/**
 * What a field holds, of words as people write them: an integer in digits, a boolean as yes or no, true or false, a
 * choice by its option, several choices one by one. Throws `KithInputError` for anything else.
 */
export declare function readField(field: FormField, words: readonly string[]): FieldValue;
