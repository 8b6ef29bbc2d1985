/** A part of a text: an e-mail address or other text. */
interface EmailPiece {
  readonly text: string
  readonly email: boolean
}

const isLocal = (character: string | undefined) => character !== undefined && /[A-Za-z0-9._+-]/.test(character)
const domain = /[A-Za-z0-9._-]+/y

/** End of the domain that starts at `from`, or -1: no empty segment, a period inside, no `-` or `_` at the end. */
const domainEnd = (text: string, from: number): number => {
  domain.lastIndex = from
  const run = (domain.exec(text)?.[0] ?? '').replace(/\.+$/, '')
  const segments = run.split('.')
  if (segments.length < 2 || segments.includes('') || /[-_]$/.test(run)) return -1
  return from + run.length
}

/** Splits a text into e-mail addresses and other text (GFM 6.9, extended email autolink). */
export const splitAtEmails = (text: string): EmailPiece[] => {
  const pieces: EmailPiece[] = []
  let done = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let start = at
    while (start > done && isLocal(text[start - 1])) start--
    const end = start === at ? -1 : domainEnd(text, at + 1)
    if (end < 0) continue
    if (start > done) pieces.push({ text: text.slice(done, start), email: false })
    pieces.push({ text: text.slice(start, end), email: true })
    done = end
  }
  if (done < text.length) pieces.push({ text: text.slice(done), email: false })
  return pieces
}
