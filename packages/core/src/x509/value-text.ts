import { type DerElement, DerError, tag } from './der.ts'

/** Hexadecimal octets separated by colons, `perLine` of them on each indented line. */
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

/** The absolute value, most significant octet first, without leading zeros; one octet for 0. */
export const magnitude = (value: bigint): Buffer => {
  const digits = (value < 0n ? -value : value).toString(16)
  return Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex')
}

const decimalLimit = 1n << 127n

/** Decimal while sign and value fit in 128 bits, hexadecimal otherwise. */
export const integerText = (value: bigint): string =>
  -decimalLimit < value && value < decimalLimit
    ? value.toString()
    : `${value < 0n ? '-' : ''}0x${magnitude(value).toString('hex').toUpperCase()}`

/** The octets as ASCII, with a dot for each that is not printable. */
export const printable = (octets: Buffer): string =>
  [...octets]
    .map((octet) => (octet === 10 || octet === 13 || (octet >= 32 && octet < 127) ? String.fromCharCode(octet) : '.'))
    .join('')

/** The text before the first NUL, where OpenSSL's `%s` ends it. */
export const untilNul = (octets: Buffer): string => {
  const end = octets.indexOf(0)
  return octets.toString('utf8', 0, end < 0 ? octets.length : end)
}

/** `Jan  1 00:00:00 2024 GMT`; `fraction` as `.123` after the seconds. */
export const timeText = (time: Date, fraction = ''): string => {
  const [, day, month, year, clock] = time.toUTCString().split(' ')
  return `${month} ${String(Number(day)).padStart(2)} ${clock}${fraction} ${Number(year)} GMT`
}

/** A UTCTime (years 1950–2049) or GeneralizedTime as in RFC 5280 section 4.1.2.5; fractions of a second are accepted too. */
export const derTimeText = ({ tag: type, content }: DerElement): string => {
  const text = content.toString('latin1')
  const isShort = type === tag.utcTime
  const full = isShort ? `${text < '5' ? '20' : '19'}${text}` : text
  const [, date, clock, fraction = ''] = /^(\d{8})(\d{6})(\.\d+)?Z$/.exec(full) ?? []
  if (date === undefined || clock === undefined || (isShort && fraction)) throw new DerError('time is not readable')
  const [century, years, month, day, hour, minute, second] = (date + clock).match(/../g) ?? []
  const iso = `${century}${years}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  const time = new Date(iso)
  if (Number.isNaN(time.getTime()) || time.toISOString() !== iso) throw new DerError('time does not exist')
  return timeText(time, fraction)
}
