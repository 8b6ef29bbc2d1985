import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { isPlatformError, notFound } from '../../../kernel/errors.ts'

/** What a link in a mail permits its recipient. */
type LinkPurpose = 'unsubscribe' | 'confirmEmail' | 'resetPassword' | 'acceptInvitation'

const toContext = (purpose: LinkPurpose) => `mail.${purpose}`

/** The secret part of a link in a mail, which is the permission to do what it says; undefined without a key for secrets. */
export const sealLink = (
  { ports }: Pick<Context, 'ports'>,
  purpose: LinkPurpose,
  content: readonly unknown[],
): string | undefined => {
  try {
    return ports.secrets.seal(JSON.stringify(content), toContext(purpose))
  } catch (error) {
    if (isPlatformError(error) && error.code === 'unavailable') return undefined
    throw error
  }
}

/** @throws PlatformError `not_found` for a text that is no secret part of a link with this purpose */
export const openLink = <S extends v.GenericSchema>(
  { ports }: Pick<Context, 'ports'>,
  purpose: LinkPurpose,
  schema: S,
  sealed: string,
): v.InferOutput<S> => {
  try {
    return v.parse(schema, JSON.parse(ports.secrets.open(sealed, toContext(purpose))))
  } catch {
    throw notFound()
  }
}
