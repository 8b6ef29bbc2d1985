import type { FakeForge } from '@forgelet/fixtures'

export interface TestResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  readonly body: any
  readonly text: string
  readonly headers: Headers
}

export interface SendOptions {
  /** The username whose token is sent. Default: anonymous. */
  readonly as?: string
  /** Sent as a JSON body. */
  readonly json?: unknown
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export type Send = (line: string, options?: SendOptions) => Promise<TestResponse>

const content = ({ json, form, raw }: SendOptions): { body?: BodyInit; type?: string } => {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' }
  if (form !== undefined)
    return { body: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' }
  return raw === undefined ? {} : { body: raw as BodyInit }
}

/** Sends requests to a forge without a socket: `send('POST /projects/1/labels', { as: 'carol', json: { … } })`. */
export const client =
  (forge: FakeForge): Send =>
  async (line, options = {}) => {
    const [method, path] = line.split(/ +/) as [string, string]
    const { body, type } = content(options)
    const token = options.as === undefined ? undefined : forge.tokens[options.as]
    if (options.as !== undefined && token === undefined) throw new Error(`The forge has no token of user ${options.as}`)
    const response = await forge.fetch(`${forge.url}${path.startsWith('/api/') ? '' : '/api/v4'}${path}`, {
      method,
      ...(body !== undefined && { body }),
      headers: {
        ...(type !== undefined && { 'content-type': type }),
        ...(token !== undefined && { 'private-token': token }),
        ...options.headers,
      },
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    return { status: response.status, body: isJson ? JSON.parse(text) : undefined, text, headers: response.headers }
  }
