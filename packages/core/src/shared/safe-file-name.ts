/** The usual limit of file systems. */
const maxNameBytes = 255

/** Removes folders and replaces every character except letters, digits and `.-_+` with `_`, for use in URLs. */
export const toSafeFileName = (fileName: string): string => {
  const last = fileName.split(/[\\/]/).at(-1) ?? ''
  const safe = last.replace(/[^\p{L}\p{N}._+-]/gu, '_')
  let name = ''
  for (const character of safe) {
    if (Buffer.byteLength(name) + Buffer.byteLength(character) > maxNameBytes) break
    name += character
  }
  return /^\.*$/.test(name) ? 'file' : name
}
