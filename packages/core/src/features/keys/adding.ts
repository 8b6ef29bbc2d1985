import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { keyRestrictionComplaint } from './key-restriction.ts'
import { restrictionsInForce } from './restrictions-in-force.ts'
import { parseSshKey, type SshKey } from './ssh-key.ts'

const longestTitle = 255

const keyProblems = async (ctx: Context, text: string): Promise<{ problems: string[]; key?: SshKey }> => {
  const result = parseSshKey(text)
  if ('complaint' in result) return { problems: [result.complaint] }
  const complaint = keyRestrictionComplaint(result.key, await restrictionsInForce(ctx))
  return complaint === undefined ? { problems: [], key: result.key } : { problems: [complaint] }
}

const titleProblems = (title: string): string[] => {
  if (title === '') return ["can't be blank"]
  return title.length > longestTitle ? [`is too long (maximum is ${longestTitle} characters)`] : []
}

/** The one complaint about a key that somebody has already; whose it is stays their own business. */
export const takenKey = () => invalid({ fingerprint: ['has already been taken'] })

/**
 * Reads a new key. Without a title the key's own comment is one.
 *
 * @throws PlatformError `invalid` on `key` and `title`, with every complaint at once
 */
export async function readKey(
  ctx: Context,
  given: { readonly key: string; readonly title?: string | undefined },
): Promise<SshKey & { readonly title: string }> {
  const { problems: ofKey, key } = await keyProblems(ctx, given.key)
  const title = (given.title ?? key?.comment ?? '').trim()
  const ofTitle = titleProblems(title)
  if (key && !ofTitle.length) return { ...key, title }
  throw invalid({ ...(ofKey.length && { key: ofKey }), ...(ofTitle.length && { title: ofTitle }) })
}
