import { type DerElement, DerError, tag } from './der.ts'

/** Octets in hex with colons, so many on a line, every line indented. */
export const hexLines = (octets: Buffer, perLine: number, indentation: string): string => {
  const pairs = octets.toString('hex').match(/../g) ?? []
  const lines: string[] = []
  for (let start = 0; start < pairs.length; start += perLine) {
    lines.push(`${indentation}${pairs.slice(start, start + perLine).join(':')}`)
  }
  return lines.join(':\n')
}

/** `AA:BB` */
export const hexPairs = (octets: Buffer): string => hexLines(octets, octets.length, '').toUpperCase()

const widest = 1n << 127n

/** Decimal; from 128 bits on, sign included, hexadecimal. */
export const integerText = (value: bigint): string => {
  const size = value < 0n ? -value : value
  if (size < widest) return value.toString()
  const digits = size.toString(16).toUpperCase()
  return `${value < 0n ? '-' : ''}0x${digits.length % 2 ? '0' : ''}${digits}`
}

/** Octets as they are, with dots for what does not print. */
export const printable = (octets: Buffer): string =>
  [...octets]
    .map((octet) => (octet === 10 || octet === 13 || (octet >= 32 && octet < 127) ? String.fromCharCode(octet) : '.'))
    .join('')

/** Text until its first NUL, as a reader written in C sees it. */
export const untilNul = (octets: Buffer): string => {
  const end = octets.indexOf(0)
  return octets.toString('utf8', 0, end < 0 ? octets.length : end)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const two = (value: number) => String(value).padStart(2, '0')

/** `Jan  1 00:00:00 2024 GMT`; `fraction` as `.123` after the seconds. */
export const timeText = (time: Date, fraction = ''): string => {
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join(':')
  const day = String(time.getUTCDate()).padStart(2)
  return `${months[time.getUTCMonth()]} ${day} ${clock}${fraction} ${time.getUTCFullYear()} GMT`
}

/** A UTCTime (years 1950–2049) or GeneralizedTime in the forms RFC 5280 section 4.1.2.5 allows, a fraction of a second besides. */
export const derTimeText = (element: DerElement): string => {
  const text = element.content.toString('latin1')
  const pattern = element.tag === tag.utcTime ? /^()(\d\d)(\d{8})(\d\d)()Z$/ : /^(\d\d)(\d\d)(\d{8})(\d\d)(\.\d+)?Z$/
  const [, century, years, rest = '', seconds = '', fraction] = pattern.exec(text) ?? []
  if (years === undefined) throw new DerError('time is not readable')
  const year = century ? Number(century + years) : Number(years) + (Number(years) < 50 ? 2000 : 1900)
  const [month = 0, day = 0, hour = 0, minute = 0] = (rest.match(/../g) ?? []).map(Number)
  const time = new Date(0)
  time.setUTCFullYear(year, month - 1, day)
  time.setUTCHours(hour, minute, Number(seconds))
  const same = time.getUTCMonth() === month - 1 && time.getUTCDate() === day && time.getUTCHours() === hour
  if (!same || minute > 59 || Number(seconds) > 59) throw new DerError('time does not exist')
  return timeText(time, fraction)
}
