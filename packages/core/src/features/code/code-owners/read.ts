import type { OpenedRepository } from '../repository/opened-repository.ts'
import { findTreeEntry } from '../repository/tree-entries.ts'
import { type CodeOwnersSection, codeOwnersPaths, maxCodeOwnersSize, parseCodeOwners } from './code-owners-file.ts'

/** Reads the file of code owners at a commit; no sections without one. */
export const readCodeOwners = async (
  { repository, abortable }: OpenedRepository,
  commit: string,
): Promise<readonly CodeOwnersSection[]> => {
  for (const path of codeOwnersPaths) {
    const entry = await findTreeEntry(repository, commit, path, abortable)
    const blob = entry && (await repository.blob(entry.id, { maximumBytes: maxCodeOwnersSize, ...abortable }))
    if (blob && blob.content.byteLength === blob.size)
      return parseCodeOwners(Buffer.from(blob.content).toString('utf8'))
  }
  return []
}
