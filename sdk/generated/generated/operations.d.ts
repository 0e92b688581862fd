/** Routes whose body carries an operation_id. */
export declare const withOperationId: readonly string[];
