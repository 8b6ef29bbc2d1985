import type { HookPayload } from './delivery.ts'

const findValue = (payload: unknown, path: string) =>
  path
    .trim()
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        value !== null && typeof value === 'object' && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
      payload,
    )

/** Text is inserted between the quotes of the template; other values are inserted as JSON, and missing ones as nothing. */
const format = (value: unknown) =>
  typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : (JSON.stringify(value) ?? '')

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * The body of a request. In the template of a hook, `{{path}}` is replaced by a value of the event.
 *
 * @throws Error if the result is not JSON
 */
export const renderBody = (template: string | null, payload: HookPayload): string => {
  if (template === null) return JSON.stringify(payload)
  const body = template.replace(/\{\{([^{}]+)\}\}/g, (_, path: string) => format(findValue(payload, path)))
  if (!isJson(body)) throw new Error('The custom webhook template does not result in JSON')
  return body
}
