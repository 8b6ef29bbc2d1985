import type { IncomingRequest } from '../request/incoming-request.ts'

/** Bytes of a form. */
const maxFormSize = 16 * 1024

/** The fields of a form of the pages. */
export const readForm = async (request: IncomingRequest): Promise<URLSearchParams> => {
  const body = await request.body({ size: maxFormSize })
  return new URLSearchParams(Buffer.from(body).toString('utf8'))
}
