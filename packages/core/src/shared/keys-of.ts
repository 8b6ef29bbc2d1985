/** The names of the properties of an object that has no others than those of its type, such as a constant. */
export const keysOf = <T extends object>(record: T): (keyof T & string)[] => Object.keys(record) as (keyof T & string)[]
