import type { Session } from '@forgelet/core'
import { findMoved } from '../app/moved.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'

/** `/api/v4/projects/acme%2Fweb/labels` → the text before the path of the project or group, the path, and the rest. */
const ownerInPath = /^(\/api\/v4\/(?:projects|groups)\/)([^/?]+)(.*)$/

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * The reply to a request that names a project or a group by a path that it no longer has: reads are redirected to the same URL with
 * the id, other requests are refused.
 */
export const createMovedReply = async (
  session: Session,
  { method, target }: { readonly method: string; readonly target: string },
  { url }: Site,
): Promise<Reply | undefined> => {
  const [, start = '', encoded = '', rest = ''] = ownerInPath.exec(target) ?? []
  const path = decode(encoded)
  if (!path || /^\d+$/.test(path)) return undefined
  const moved = await findMoved(session, path)
  if (moved === undefined || !start.endsWith(`/${moved.kind}s/`)) return undefined
  if (method !== 'GET')
    return { status: 405, body: { message: `Non GET methods are not allowed for moved ${moved.kind}s` } }
  const Location = `${url}${start}${moved.id}${rest}`
  return {
    status: 301,
    body: { message: `This resource has been moved permanently to ${Location}` },
    headers: { Location },
  }
}
