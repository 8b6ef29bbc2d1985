import { formatFileHeader, type RepositoryDiff } from '../../../code/repository/repository.ts'

const formatModes = ({ newFile, deletedFile, aMode, bMode }: RepositoryDiff): string[] => {
  if (newFile) return [`new file mode ${bMode}`]
  if (deletedFile) return [`deleted file mode ${aMode}`]
  return aMode === bMode ? [] : [`old mode ${aMode}`, `new mode ${bMode}`]
}

/** The changes of one file in the format of `git diff`, without the ids of blobs. */
const formatDiff = (file: RepositoryDiff): string => {
  const { oldPath, newPath, renamedFile, diff } = file
  const isPatch = diff.startsWith('@@')
  return [
    `diff --git a/${oldPath} b/${newPath}`,
    ...formatModes(file),
    ...(renamedFile ? [`rename from ${oldPath}`, `rename to ${newPath}`] : []),
    ...(isPatch ? formatFileHeader(file) : []),
    diff,
  ]
    .join('\n')
    .replace(/\n*$/, '\n')
}

/** The changes of files in the format of `git diff`. */
export const formatRawDiffs = (diffs: readonly RepositoryDiff[]): string => diffs.map(formatDiff).join('')
