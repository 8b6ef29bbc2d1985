import { isPlatformError } from '@forgelet/core'

/**
 * Why the platform rejected a call. Responses of the API contain less: they name neither the permitted users nor the scopes.
 *
 * @param caller the username; null for an anonymous caller
 */
export const explainRefusal = (error: unknown, caller: string | null): string | null => {
  if (!isPlatformError(error)) return null
  const { code, message, scopes = [] } = error
  if (code === 'not_found') return `${message}, or is not visible to ${caller ?? 'anonymous callers'}`
  return code === 'insufficient_scope' ? `${message}; sufficient: ${scopes.join(', ')}` : message
}
