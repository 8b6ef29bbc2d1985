import { capacityPage } from './capacity.ts'
import { decisionsPage } from './decisions.ts'
import { errorsPage } from './errors.ts'
import { permissionsPage } from './matrix.ts'
import { routesPage } from './routes.ts'
import { settingsPage } from './settings.ts'
import { signalsPage } from './signals.ts'

/** Every generated page, by its path relative to `docs`. */
export const pages: Readonly<Record<string, () => string>> = {
  'decisions/README.md': decisionsPage,
  'reference/capacity.md': capacityPage,
  'reference/errors.md': errorsPage,
  'reference/permissions.md': permissionsPage,
  'reference/routes.md': routesPage,
  'reference/settings.md': settingsPage,
  'reference/signals.md': signalsPage,
}
