import { type ErrorCode, isPlatformError, type Platform, PlatformError } from '@forgelet/core'
import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import type { PageContent, PageContext, Viewer } from './page-context.ts'

/** Bytes of the forms that anyone can send. */
const maxOpenFormSize = 16 * 1024

/** Reads the fields of a form. @param size the largest number of bytes */
export const readForm = async (request: IncomingRequest, size = maxOpenFormSize): Promise<URLSearchParams> => {
  const body = await request.body({ size })
  return new URLSearchParams(Buffer.from(body).toString('utf8'))
}

/** Runs a form of the page, and replies with the page, or leads to it. */
export type Submit = (ctx: PageContext, form: URLSearchParams, platform: Platform) => Promise<PageContent | Reply>

/** Errors that the sender of a form can correct. */
const correctable: ReadonlySet<ErrorCode> = new Set([
  'invalid',
  'invalid_input',
  'conflict',
  'forbidden',
  'insufficient_scope',
  'not_found',
  'unprocessable',
])

/** Runs the change of a form. The message of an error that the sender can correct; undefined after success. */
export const findFormError = async (change: () => PromiseLike<unknown>): Promise<string | undefined> => {
  try {
    await change()
    return undefined
  } catch (error) {
    if (isPlatformError(error) && correctable.has(error.code)) return error.message
    throw error
  }
}

/** Leads to a page after a form, so that loading it again does not send the form again. */
export const seeOther = (location: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 303,
  headers: { Location: location, ...headers },
})

/** The user who has signed in. @throws PlatformError `unauthenticated` for visitors without an account */
export const requireUser = ({ viewer }: PageContext): Viewer & { readonly id: number; readonly username: string } => {
  if (viewer?.id === undefined || viewer.username === undefined)
    throw new PlatformError('unauthenticated', 'Sign in to see the page')
  return { ...viewer, id: viewer.id, username: viewer.username }
}
