export type Json = Readonly<Record<string, unknown>>

/** The version of JSON Schema that editors support. */
export const schemaUri = 'http://json-schema.org/draft-07/schema#'
