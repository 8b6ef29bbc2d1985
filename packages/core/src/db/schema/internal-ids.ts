import type { Dialect } from '../../kernel/store.ts'
import { createTrigger } from './trigger.ts'

/** The owners of internal ids, with the kinds that are counted for each. */
const owners = [
  { table: 'project', kinds: ['issue', 'mergeRequest', 'milestone', 'deployment'] },
  { table: 'namespace', kinds: ['epic', 'groupMilestone'] },
] as const

/**
 * Triggers that delete the counters of a deleted project or group. A foreign key is not possible: the kind of a counter decides
 * which table its owner is in.
 */
export const internalIdTriggers = (dialect: Dialect): string =>
  owners
    .map(({ table, kinds }) => {
      const kindsIn = kinds.map((kind) => `'${kind}'`).join(', ')
      const body = `delete from {internal_id} where kind in (${kindsIn}) and owner_id = old.id;`
      return createTrigger(dialect, { name: `${table}_counters`, event: `after delete on {${table}}`, body })
    })
    .join('')
