import type { Dialect } from '../../kernel/store.ts'
import { issueCounts } from '../issue-counts/schema.ts'
import { internalIdTriggers } from './internal-ids.ts'
import { permissionVersion } from './permission-version.ts'
import { access } from './tables/access.ts'
import { accounts } from './tables/accounts.ts'
import { delivery } from './tables/delivery.ts'
import { discussions } from './tables/discussions.ts'
import { instance } from './tables/instance.ts'
import { integrations } from './tables/integrations.ts'
import { mergeRequests } from './tables/merge-requests.ts'
import { planning } from './tables/planning.ts'
import { repositories } from './tables/repositories.ts'
import { spaces } from './tables/spaces.ts'

/** In an order in which every table follows those that it refers to. */
const tables = [
  instance,
  accounts,
  spaces,
  access,
  planning,
  repositories,
  mergeRequests,
  discussions,
  delivery,
  integrations,
]

/** The statements that create the database of the first release, except the table of applied migrations; see `renderSql`. */
export const createSchema = (dialect: Dialect): string =>
  [
    ...tables,
    issueCounts(dialect),
    internalIdTriggers(dialect),
    ...(dialect === 'postgres' ? [permissionVersion] : []),
  ].join('\n')
