import { unavailable } from './failures.ts'

/** The whole body of an answer, as long as it is no longer than agreed. What is longer is not read to its end. */
export async function boundedBody(response: Response, maximum: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (response.body === null) return Buffer.alloc(0)
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maximum) throw unavailable(`it answered with more than ${maximum} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** JSON, or a refusal that says so. Its shape is for the reader to check. */
export const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (cause) {
    throw unavailable('it answered with something that is no JSON', { cause })
  }
}
