/** `created_at` → `createdAt`. `_destroy` stays. */
export const toCamelCase = (key: string): string =>
  key.replace(/(?!^)_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `createdAt` → `created_at`. */
export const toSnakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
