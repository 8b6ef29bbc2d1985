import type { Route } from './route.ts'
import { operationName } from './seen.ts'

const spaced = (name: string) => name.replaceAll('_', ' ').replace(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`)

const capital = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase())

/** The fixed words of an address: `projects`, `labels` of `/api/v4/projects/:id/labels/:label_id`. */
const words = ({ path }: Route) =>
  path
    .replace(/^\/api\/(?:v4|scim\/v2)/, '')
    .split('/')
    .filter((word) => word !== '' && !word.startsWith(':'))

/**
 * What routes are called where people read of them: `Labels: promote`, after the operation. Where an operation has several
 * addresses, the word that only this one has comes with it: `Members: list (groups)`.
 */
export function routeTitles(routes: readonly Route[]): (route: Route) => string {
  const alike = Map.groupBy(routes, ({ operation }) => operation)
  return (route) => {
    const [feature = '', verb = ''] = (operationName(route.operation) ?? '').split('.')
    const others = alike.get(route.operation) ?? []
    const own = words(route).filter((word) => !others.every((other) => words(other).includes(word)))
    const suffix = own.length ? ` (${spaced(own.at(-1) as string).trim()})` : ''
    return `${capital(spaced(feature))}: ${spaced(verb)}${suffix}`
  }
}
