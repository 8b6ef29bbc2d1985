import { registryUnavailableError } from './errors.ts'

export interface RegistryResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  /** The URL of the request. */
  readonly url: URL
}

/** Reads a body of at most `maximumBytes`; throws as soon as more arrive. */
export async function readBoundedBody(response: Response, maximumBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (response.body === null) return Buffer.alloc(0)
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maximumBytes) throw registryUnavailableError(`its response exceeds ${maximumBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** @throws PlatformError `unavailable` when the body is not JSON */
export const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (cause) {
    throw registryUnavailableError('its response is not JSON', { cause })
  }
}
