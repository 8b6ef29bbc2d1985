import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database } from '../../../contract/database.ts'
import { type Context, today } from '../../../kernel/context.ts'
import type { DueDate } from './filters.ts'

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The first day of the month that is `offset` months after the month of `day`. */
const startOfMonth = (day: string, offset: number): string =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + offset, 1)).toISOString().slice(0, 10)

/** The first and the last day of the period; weeks begin on Monday. */
const getPeriod = (day: string, dueDate: Exclude<DueDate, '0' | 'any' | 'overdue'>): readonly [string, string] => {
  switch (dueDate) {
    case 'today':
      return [day, day]
    case 'tomorrow':
      return [addDays(day, 1), addDays(day, 1)]
    case 'week': {
      const monday = addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))
      return [monday, addDays(monday, 6)]
    }
    case 'month':
      return [startOfMonth(day, 0), addDays(startOfMonth(day, 1), -1)]
    case 'next_month_and_previous_two_weeks':
      return [addDays(day, -14), addDays(startOfMonth(day, 2), -1)]
  }
}

/** Whether an issue is due in the period, on rows of `issue`. */
export const isDue =
  (ctx: Context, dueDate: DueDate) =>
  (eb: ExpressionBuilder<Database, 'issue'>): Expression<SqlBool> => {
    if (dueDate === '0') return eb('issue.dueDate', 'is', null)
    if (dueDate === 'any') return eb('issue.dueDate', 'is not', null)
    if (dueDate === 'overdue') return eb.and([eb('issue.dueDate', '<', today(ctx)), eb('issue.state', '=', 'opened')])
    const [first, last] = getPeriod(today(ctx), dueDate)
    return eb.between('issue.dueDate', first, last)
  }
