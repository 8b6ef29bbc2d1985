const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Seconds of each unit; a month counts 30 days, a year 365.25 days, whatever the calendar says. */
const units = [
  { seconds: 1, spellings: ['s', 'sec', 'secs', 'second', 'seconds'] },
  { seconds: minute, spellings: ['m', 'min', 'mins', 'minute', 'minutes'] },
  { seconds: hour, spellings: ['h', 'hr', 'hrs', 'hour', 'hours'] },
  { seconds: day, spellings: ['d', 'day', 'days'] },
  { seconds: 7 * day, spellings: ['w', 'wk', 'wks', 'week', 'weeks'] },
  { seconds: 30 * day, spellings: ['mo', 'mos', 'month', 'months'] },
  { seconds: 365.25 * day, spellings: ['y', 'yr', 'yrs', 'year', 'years'] },
]

const secondsOf = new Map(units.flatMap(({ seconds, spellings }) => spellings.map((word) => [word, seconds] as const)))

/** Right to left in the form `1:30`; weeks have no place there. */
const clockPlaces = [1, minute, hour, day, 30 * day, 365.25 * day]

const joiners: ReadonlySet<string> = new Set([',', 'and'])

const clockDuration = (text: string): number | undefined => {
  const places = text.split(':').reverse()
  if (places.length > clockPlaces.length) return undefined
  let total = 0
  for (const [index, place] of places.entries()) {
    const digits = place.trim()
    if (!/^[0-9]+$/.test(digits)) return undefined
    total += Number(digits) * (clockPlaces[index] ?? Number.NaN)
  }
  return total
}

const wordsDuration = (text: string): number | undefined => {
  // Every character falls into a number, a word or a mark of its own, so nothing is skipped unseen.
  const tokens = text.match(/[0-9]+(?:\.[0-9]+)?|[a-z]+|\S/g) ?? []
  let total: number | undefined
  let amount: number | undefined
  for (const token of tokens) {
    if (/^[0-9]/.test(token)) {
      if (amount !== undefined) return undefined
      amount = Number(token)
    } else if (secondsOf.has(token)) {
      // A text may begin with its unit: `month` is one month.
      if (amount === undefined && total !== undefined) return undefined
      total = (total ?? 0) + (amount ?? 1) * (secondsOf.get(token) ?? Number.NaN)
      amount = undefined
    } else if (!joiners.has(token) || amount !== undefined) return undefined
  }
  return amount === undefined ? total : (total ?? 0) + amount
}

/**
 * The length in seconds of a time span as people write it:
 * `1h`, `2 weeks and 3 days`, `1 hour, 30 min`, `1:30`, `month`.
 * A number without a unit is allowed at the end and counts seconds. Case and blanks do not matter.
 * `undefined` when the text says no length, so callers must decide what an unreadable text means.
 */
export const humanDuration = (text: string): number | undefined => {
  const plain = text.trim().toLowerCase()
  const seconds = plain.includes(':') ? clockDuration(plain) : wordsDuration(plain)
  return seconds !== undefined && Number.isFinite(seconds) ? seconds : undefined
}
