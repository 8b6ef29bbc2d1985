const idLength = 40

/** A discussion id is the id of its first note, in hexadecimal digits. */
export const formatDiscussionId = (firstNoteId: number): string => firstNoteId.toString(16).padStart(idLength, '0')

/** Returns the id of the first note; undefined for an invalid discussion id. */
export const parseDiscussionId = (id: string): number | undefined => {
  if (!/^0{27}[0-9a-f]{13}$/.test(id)) return undefined
  const number = Number.parseInt(id, 16)
  return Number.isSafeInteger(number) ? number : undefined
}
