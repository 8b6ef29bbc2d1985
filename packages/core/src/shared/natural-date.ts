const day = 86_400_000

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** The position of the word that begins with the text: `fri` and `friday` are 5. */
const indexOfWord = (words: readonly string[], text: string): number =>
  text.length < 3 ? -1 : words.findIndex((word) => word.startsWith(text))

const toDay = (date: Date): string => date.toISOString().slice(0, 10)

/** Undefined for a day that does not exist, such as February 30. */
const fromParts = (year: number, month: number, dayOfMonth: number): string | undefined => {
  const date = new Date(Date.UTC(year, month, dayOfMonth))
  return date.getUTCMonth() === month && date.getUTCDate() === dayOfMonth ? toDay(date) : undefined
}

/** The last day of a shorter month replaces a day that it lacks. */
const addMonths = (from: Date, count: number): string => {
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + count, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), last))
  return toDay(first)
}

const add = (from: Date, count: number, unit: string): string => {
  if (unit === 'month') return addMonths(from, count)
  if (unit === 'year') return addMonths(from, 12 * count)
  return toDay(new Date(from.getTime() + count * (unit === 'week' ? 7 : 1) * day))
}

const parseMonthDay = (name: string, dayText: string, yearText: string | undefined, from: Date): string | undefined => {
  const month = indexOfWord(months, name)
  if (month < 0) return undefined
  const dayOfMonth = Number(dayText)
  if (yearText !== undefined) return fromParts(Number(yearText), month, dayOfMonth)
  const year = from.getUTCFullYear()
  const thisYear = fromParts(year, month, dayOfMonth)
  return thisYear !== undefined && thisYear >= toDay(from) ? thisYear : fromParts(year + 1, month, dayOfMonth)
}

/**
 * The day that an English text names, as `2026-11-21`: a date, `today`, `tomorrow`, `in 2 days`, `3 weeks from now`, `next month`,
 * `this Friday`, `next Friday` and `December 31st`. Names without a year are the next such day. Undefined for other texts.
 *
 * @param today - the day of the call, UTC: `2026-11-21`
 */
export const parseNaturalDate = (text: string, today: string): string | undefined => {
  const from = new Date(`${today}T00:00:00Z`)
  const written = text.trim().toLowerCase().replaceAll(/\s+/g, ' ').slice(0, 50)
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(written)
  if (iso) return fromParts(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]))
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(written)
  if (american) return fromParts(Number(american[3]), Number(american[1]) - 1, Number(american[2]))
  const named = ['yesterday', 'today', 'tomorrow'].indexOf(written)
  if (named >= 0) return add(from, named - 1, 'day')
  const span = /^(?:in )?(a|an|one|\d{1,4}) (day|week|month|year)s?( from now)?$/.exec(written)
  if (span && (written.startsWith('in ') || span[3])) return add(from, Number(span[1]) || 1, span[2] ?? '')
  const next = /^next (day|week|month|year)$/.exec(written)
  if (next) return add(from, 1, next[1] ?? '')
  const weekday = /^(?:(this|next|on) )?([a-z]{3,9})$/.exec(written)
  const weekdayIndex = indexOfWord(weekdays, weekday?.[2] ?? '')
  if (weekdayIndex >= 0) return add(from, (weekdayIndex - from.getUTCDay() + 7) % 7 || 7, 'day')
  const month = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$/.exec(written)
  if (month) return parseMonthDay(month[1] ?? '', month[2] ?? '', month[3], from)
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]{3,9})(?:,? (\d{4}))?$/.exec(written)
  return dayFirst ? parseMonthDay(dayFirst[2] ?? '', dayFirst[1] ?? '', dayFirst[3], from) : undefined
}
