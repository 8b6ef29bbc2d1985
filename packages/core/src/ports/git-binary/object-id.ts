import { notFound } from '../../kernel/errors.ts'

/** The empty directory; git knows it in every repository. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
export const noObject = '0'.repeat(40)

export const isObjectId = (text: string): boolean => text.length === 40 && /^[0-9a-f]+$/.test(text)

/** Passes ids on and refuses everything else, so that no other text stands among the arguments of git. */
export const commitIds = (texts: readonly string[]): readonly string[] => {
  if (!texts.every(isObjectId)) throw notFound('Commit')
  return texts
}
