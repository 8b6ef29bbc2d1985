import { notFound } from '../../kernel/errors.ts'

/** The empty tree, which exists in every repository. */
export const emptyTreeId = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
export const nullObjectId = '0'.repeat(40)

export const isObjectId = (text: string): boolean => text.length === 40 && /^[0-9a-f]+$/.test(text)

/** Returns the ids, or throws for other text, so that git receives only object ids as arguments. */
export const requireCommitIds = (texts: readonly string[]): readonly string[] => {
  if (!texts.every(isObjectId)) throw notFound('Commit')
  return texts
}
