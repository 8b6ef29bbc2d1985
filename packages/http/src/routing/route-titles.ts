import { getOperationName } from './operation-names.ts'
import type { Route } from './route.ts'

const splitWords = (name: string) =>
  name.replaceAll('_', ' ').replace(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`)

const capitalize = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase())

/** `/api/v4/projects/:id/labels/:label_id` → `projects`, `labels`. */
const listFixedSegments = ({ path }: Route) =>
  path
    .replace(/^\/api\/(?:v4|scim\/v2)/, '')
    .split('/')
    .filter((word) => word !== '' && !word.startsWith(':'))

/**
 * Creates titles for the reference, from the names of operations: `Labels: promote`. If an operation has several routes, the
 * title includes the segment that distinguishes them: `Members: list (groups)`.
 */
export function createRouteTitles(routes: readonly Route[]): (route: Route) => string {
  const routesByOperation = Map.groupBy(routes, ({ operation }) => operation)
  return (route) => {
    const [feature = '', verb = ''] = (getOperationName(route.operation) ?? '').split('.')
    const sameOperation = routesByOperation.get(route.operation) ?? []
    const distinctive = listFixedSegments(route).findLast(
      (word) => !sameOperation.every((other) => listFixedSegments(other).includes(word)),
    )
    const suffix = distinctive === undefined ? '' : ` (${splitWords(distinctive).trim()})`
    return `${capitalize(splitWords(feature))}: ${splitWords(verb)}${suffix}`
  }
}
