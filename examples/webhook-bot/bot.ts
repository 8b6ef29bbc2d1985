import { createHash, timingSafeEqual } from 'node:crypto'

interface BotOptions {
  /** Base URL: `https://gitlab.example`. */
  readonly host: string
  readonly token: string
  /** The secret token of the webhook. */
  readonly secret: string
  /** Sends the requests of the bot. Default: the global one. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** The part of a merge request event that the bot reads. */
interface MergeRequestEvent {
  readonly project: { readonly id: number }
  readonly object_attributes: {
    readonly action?: string
    readonly title: string
    readonly source_branch: string
    readonly last_commit: { readonly id: string } | null
  }
}

const pattern = /^(?:Draft: )?(?:feat|fix|docs|test|chore)(?:\([\w-]+\))?: \S/

const digest = (text: string) => createHash('sha256').update(text).digest()
const isEqual = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))

/**
 * A bot that reports the commit status `title` for each merge request: whether its title names the kind of the change. Returns the
 * handler of the webhook. Repeated events have the same result.
 */
export const createBot = ({ host, token, secret, fetch = globalThis.fetch }: BotOptions) => {
  const report = async ({ project, object_attributes: mergeRequest }: MergeRequestEvent) => {
    if (!mergeRequest.last_commit) return
    const isValid = pattern.test(mergeRequest.title)
    const response = await fetch(`${host}/api/v4/projects/${project.id}/statuses/${mergeRequest.last_commit.id}`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name: 'title',
        ref: mergeRequest.source_branch,
        state: isValid ? 'success' : 'failed',
        description: isValid
          ? 'The title names the kind of the change'
          : 'The title must start with a kind, such as feat:',
      }),
    })
    if (!response.ok) throw new Error(`The status could not be reported: ${response.status} ${await response.text()}`)
  }

  return async (request: Request): Promise<Response> => {
    if (!isEqual(request.headers.get('x-gitlab-token') ?? '', secret)) return new Response('Unknown', { status: 401 })
    if (request.headers.get('x-gitlab-event') !== 'Merge Request Hook') return new Response('Ignored')
    try {
      await report((await request.json()) as MergeRequestEvent)
      return new Response('Reported')
    } catch (error) {
      // The forge sends the event again after an error of the server.
      return new Response(String(error), { status: 503 })
    }
  }
}
