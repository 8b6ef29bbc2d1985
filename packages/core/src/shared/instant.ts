/** Date, time, fraction and offset in extended or basic notation (ISO 8601): `2016-03-11T03:45:40,123+02`, `20160311T034540Z`. */
const notation =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?(?: ?(Z|UTC|[+-]\d\d(?::?\d\d)?))?)?$/i

/**
 * Milliseconds since the Unix epoch; NaN for other text and for days that do not exist. Without an offset the time is UTC,
 * whatever the time zone of the process. Digits after the third of a fraction are ignored.
 */
export const parseInstant = (text: string): number => {
  const match = notation.exec(text)
  if (!match) return Number.NaN
  const [, year, , month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match
  const date = `${year}-${month}-${day}`
  const midnight = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return Number.NaN
  const zone = /^[+-]/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}` : 'Z'
  return Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`)
}
