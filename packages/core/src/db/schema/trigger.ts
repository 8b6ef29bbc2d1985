import type { Dialect } from '../../kernel/store.ts'

export interface Trigger {
  readonly name: string
  /** `after insert on {issue}` */
  readonly event: string
  readonly when?: string
  /** Statements, each with a semicolon. */
  readonly body: string
}

/** A `before` trigger of PostgreSQL has to return the row to continue. */
const returnValue = (event: string) =>
  event.startsWith('before delete') ? 'old' : event.startsWith('before') ? 'new' : 'null'

/** The statements that create a trigger for each row; PostgreSQL needs a function for it. */
export const createTrigger = (dialect: Dialect, { name, event, when, body }: Trigger): string =>
  dialect === 'sqlite'
    ? `create trigger {#${name}} ${event} ${when ? `when ${when}` : ''} begin ${body} end;\n`
    : `create function {${name}}() returns trigger language plpgsql as $$ begin ${body} return ${returnValue(event)}; end $$;
create trigger {#${name}} ${event} for each row ${when ? `when (${when})` : ''} execute function {${name}}();\n`
