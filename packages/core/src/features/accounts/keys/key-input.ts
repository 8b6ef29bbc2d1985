import type { Context } from '../../../kernel/context.ts'
import { forbidden, invalid } from '../../../kernel/errors.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { findKeyRestrictionProblem, type KeyRestrictions } from './key-restriction.ts'
import { parseSshKey, type SshKey } from './ssh-key.ts'

/** Reads the key restrictions from the settings of the instance. */
async function loadKeyRestrictions(ctx: Context): Promise<KeyRestrictions> {
  const { rsaKeyRestriction, dsaKeyRestriction, ecdsaKeyRestriction, ed25519KeyRestriction } = await getSettings(ctx)
  return {
    rsa: rsaKeyRestriction,
    dsa: dsaKeyRestriction,
    ecdsa: ecdsaKeyRestriction,
    ed25519: ed25519KeyRestriction,
  }
}

/**
 * Settings may have changed since the key was added.
 *
 * @throws PlatformError `forbidden` for a key whose type or size the settings do not permit
 */
export const assertKeyAllowed = async (ctx: Context, id: number): Promise<void> => {
  const { key: text } = await ctx.db.selectFrom('sshKey').where('id', '=', id).select('key').executeTakeFirstOrThrow()
  const result = parseSshKey(text)
  if ('problem' in result) throw forbidden(`Your SSH key ${result.problem}`)
  const problem = findKeyRestrictionProblem(result.key, await loadKeyRestrictions(ctx))
  if (problem !== undefined) throw forbidden(`Your SSH key ${problem}`)
}

const maxTitleLength = 255

const validateKey = async (ctx: Context, text: string): Promise<{ problems: string[]; key?: SshKey }> => {
  const result = parseSshKey(text)
  if ('problem' in result) return { problems: [result.problem] }
  const problem = findKeyRestrictionProblem(result.key, await loadKeyRestrictions(ctx))
  return problem === undefined ? { problems: [], key: result.key } : { problems: [problem] }
}

const validateTitle = (title: string): string[] => {
  if (title === '') return ["can't be blank"]
  return title.length > maxTitleLength ? [`is too long (maximum is ${maxTitleLength} characters)`] : []
}

/** The error for a key that is already stored. It does not reveal the owner. */
export const keyTakenError = () => invalid({ fingerprint: ['has already been taken'] })

/**
 * Parses a new key. The title defaults to the comment of the key.
 *
 * @throws PlatformError `invalid` with the problems of `key` and `title`
 */
export async function parseKeyInput(
  ctx: Context,
  input: { readonly key: string; readonly title?: string | undefined },
): Promise<SshKey & { readonly title: string }> {
  const { problems: keyProblems, key } = await validateKey(ctx, input.key)
  const title = (input.title ?? key?.comment ?? '').trim()
  const titleProblems = validateTitle(title)
  if (key && !titleProblems.length) return { ...key, title }
  throw invalid({
    ...(keyProblems.length && { key: keyProblems }),
    ...(titleProblems.length && { title: titleProblems }),
  })
}
